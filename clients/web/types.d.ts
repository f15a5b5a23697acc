/** What the page and the server agree on: the protocol page's structures. */

export type Piles = Record<string, string[]>;
export type PilesPatch = Record<string, [number, string[]]>;
export type Turn = string[] | "undo";
export type Status = "waiting" | "playing" | "won" | "stuck" | "resigned" | "timed_out";
export type Phase = "lobby" | "countdown" | "racing" | "ended";

export interface Settings {
  seats: number;
  bots: string[];
  countdown_ms: number;
  time_limit_ms: number;
  undo: boolean;
  open: boolean;
  deals: string;
  hints?: true;
}

export interface SeatInfo {
  seat: number;
  player: string;
  name: string;
  bot?: string;
  ready: boolean;
  connected: boolean;
  left: number;
  turn: number;
  status: Status;
  elapsed_ms: number;
  place?: number;
}

export interface Welcome {
  type: "welcome";
  re?: string;
  player: string;
  name: string;
  token: string;
  server: string;
  now_ms: number;
  heartbeat_ms: number;
  races: string[];
}
export interface Joined {
  type: "joined";
  re?: string;
  race: string;
  code: string;
  seat: number;
}
export interface RaceInfo {
  type: "race";
  re?: string;
  race: string;
  code: string;
  game: string;
  variant: string;
  settings: Settings;
  chosen: boolean;
  commitment: string;
  phase: Phase;
  starts_in_ms?: number;
  host: number;
  seats: SeatInfo[];
  watchers: number;
  rematch?: string;
  seed?: string;
  salt?: string;
  digest?: string;
}
export interface View {
  type: "view";
  re?: string;
  race: string;
  seat: number;
  turn: number;
  piles: Piles;
  left: number;
  status: Status;
  elapsed_ms: number;
}
export interface Patch {
  type: "patch";
  re?: string;
  race: string;
  seat: number;
  from: number;
  turn: number;
  turns: Turn[];
  piles: PilesPatch;
  left: number;
  status: Status;
  elapsed_ms: number;
}
export interface Progress {
  type: "progress";
  re?: string;
  race: string;
  seat: number;
  turn: number;
  left: number;
  status: Status;
  elapsed_ms: number;
}
export interface Hint {
  type: "hint";
  re?: string;
  race: string;
  seat: number;
  turn: number;
  move?: string;
  why: string;
}
export interface SeatAnalysis {
  seat: number;
  left: number;
  turn?: number;
  lost_by?: string;
  certain?: boolean;
  line?: string[];
}
export interface Analysis {
  type: "analysis";
  re?: string;
  race: string;
  verdict: "won" | "lost" | "unknown";
  left: number;
  exact: boolean;
  line: string[];
  seats: SeatAnalysis[];
}
export interface OpenRace {
  race: string;
  code: string;
  game: string;
  variant: string;
  host: string;
  taken: number;
  seats: number;
}
export interface LobbyList {
  type: "lobby";
  re?: string;
  races: OpenRace[];
}
export interface GameRules {
  game: string;
  title: string;
  rules: string;
  default: string;
  variants: { variant: string; title: string; about: string; hidden: boolean }[];
}
export interface Games {
  type: "games";
  re?: string;
  games: GameRules[];
}
export interface ErrorUpdate {
  type: "error";
  re?: string;
  code: string;
  message: string;
  race?: string;
  turn?: number;
}
export interface Pong {
  type: "pong";
  re?: string;
  t?: number;
  now_ms: number;
}
export interface Closing {
  type: "closing";
  re?: string;
  reason: string;
  retry_after_ms: number;
}
export type Update =
  | Welcome
  | Joined
  | RaceInfo
  | View
  | Patch
  | Progress
  | Hint
  | Analysis
  | LobbyList
  | Games
  | ErrorUpdate
  | Pong
  | Closing;

export interface Command {
  type: string;
  id?: string;
  [field: string]: unknown;
}

export interface Standing {
  seat: number;
  place: number;
  status: Status;
  left: number;
  elapsed_ms: number;
}

export interface ReplayStep {
  at_ms: number;
  turn: number;
  played: Turn | "resigned" | "timed_out";
  piles: PilesPatch;
  left: number;
  status: Status;
}
export interface ReplaySeat {
  seat: number;
  player: string;
  name: string;
  bot?: string;
  piles: Piles;
  left: number;
  status: Status;
  steps: ReplayStep[];
}
export interface Replay {
  race: string;
  code: string;
  game: string;
  variant: string;
  ends_ms: number;
  seats: ReplaySeat[];
  standings: Standing[];
}
