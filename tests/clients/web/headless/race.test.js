import assert from "node:assert/strict";
import { test } from "node:test";

import { pilesOf } from "../../../../clients/web/samedeal_web/page/js/board.js";
import {
  canPlay,
  commandOf,
  createRace,
  elapsed,
  ownLeft,
  playTurn,
  receive,
  takeBack,
} from "../../../../clients/web/samedeal_web/page/js/race.js";
import { transcripts } from "./vectors.js";

const ME = "me";

function info(game, variant, phase = "racing") {
  const seat = {
    name: "Ann",
    ready: true,
    connected: true,
    left: 52,
    turn: 0,
    status: "playing",
    elapsed_ms: 0,
  };
  return {
    type: "race",
    race: "r",
    code: "ABCDEF",
    game,
    variant,
    phase,
    chosen: false,
    commitment: "",
    settings: {
      seats: 2,
      bots: [],
      countdown_ms: 0,
      time_limit_ms: 600000,
      undo: true,
      open: false,
      deals: "any",
    },
    starts_in_ms: 0,
    host: 0,
    watchers: 0,
    seats: [
      { ...seat, seat: 0, player: ME },
      { ...seat, seat: 1, player: "you" },
    ],
  };
}

function view(start, turn = 0) {
  return {
    type: "view",
    race: "r",
    seat: 0,
    turn,
    piles: start.piles,
    left: start.left,
    status: "playing",
    elapsed_ms: 0,
  };
}

function patch(turn, from) {
  return {
    type: "patch",
    race: "r",
    seat: 0,
    from,
    turn: from + 1,
    turns: [[turn.move]],
    piles: turn.patch,
    left: turn.left,
    status: turn.status,
    elapsed_ms: 1000 * (from + 1),
  };
}

/** A race that has begun on a transcript's deal. */
function begun(game) {
  const race = createRace(info(game.game, game.variant), ME, 0);
  receive(race, view(game.start), ME, 0);
  return race;
}

for (const [file, games] of transcripts()) {
  const game = games.find(({ turns }) => turns.length > 2);
  test(`${file}: played here, confirmed turn by turn, the board is the server's`, () => {
    const race = begun(game);
    let piles = game.start.piles;
    game.turns.forEach((turn, index) => {
      const { command } = playTurn(race, [turn.move]);
      assert.equal(command.turn, index);
      assert.equal(ownLeft(race), turn.left);
      receive(race, patch(turn, index), ME, 0);
      piles = applied(piles, turn.patch);
      assert.deepEqual(pilesOf(race.board), piles);
    });
    assert.equal(race.confirmed.status, game.turns.at(-1).status);
    assert.equal(race.pending.length, 0);
  });

  test(`${file}: confirmed long after it was played, or played elsewhere, it is the same`, () => {
    const late = begun(game);
    const elsewhere = begun(game);
    const hidden = JSON.stringify(game.start).includes("??");
    const turns = game.turns.slice(0, hidden ? 1 : 5);
    turns.forEach(({ move }) => playTurn(late, [move]));
    turns.forEach((turn, index) => {
      receive(late, patch(turn, index), ME, 0);
      receive(elsewhere, patch(turn, index), ME, 0);
    });
    assert.deepEqual(pilesOf(late.board), pilesOf(elsewhere.board));
  });
}

const applied = (piles, change) => {
  const after = { ...piles };
  for (const [pile, [keep, cards]] of Object.entries(change))
    after[pile] = [...piles[pile].slice(0, keep), ...cards];
  return after;
};

const [, [doublets]] = transcripts().find(([file]) => file === "doublets_reserve.jsonl");

test("cards stay themselves through a move: those not taken, and the refill", () => {
  const race = begun(doublets);
  const before = race.board;
  const { move, patch: change } = doublets.turns[0];
  playTurn(race, [move]);
  receive(race, patch(doublets.turns[0], 0), ME, 0);
  for (const pile of Object.keys(before)) {
    if (pile in change) continue;
    assert.deepEqual(race.board[pile], before[pile]);
  }
  const [pile] = move.split("+");
  assert.equal(race.board[pile].at(-1).id, before[pile].at(-2).id, "the card below turned up");
});

test("a refused turn is taken back with all that was built on it", () => {
  const race = begun(doublets);
  playTurn(race, [doublets.turns[0].move]);
  takeBack(race);
  assert.deepEqual(pilesOf(race.board), doublets.start.piles);
  assert.equal(commandOf(race, playTurn(race, [doublets.turns[0].move]).entry).turn, 0);
});

test("a patch not above one's turn confirms, and brings the status", () => {
  const race = begun(doublets);
  receive(race, patch(doublets.turns[0], 0), ME, 0);
  const now = pilesOf(race.board);
  receive(race, { ...patch(doublets.turns[0], 0) }, ME, 0);
  assert.deepEqual(pilesOf(race.board), now);
  receive(
    race,
    { ...patch(doublets.turns[0], 0), from: 1, turn: 1, turns: [], piles: {}, status: "resigned" },
    ME,
    0,
  );
  assert.equal(canPlay(race), false);
});

test("a gap asks for a sync, and what is pending then is sent again", () => {
  const race = begun(doublets);
  assert.ok(receive(race, patch(doublets.turns[1], 1), ME, 0).gap);
  playTurn(race, [doublets.turns[0].move]);
  race.syncing = true;
  const empty = {
    type: "patch",
    race: "r",
    seat: 0,
    from: 0,
    turn: 0,
    turns: [],
    piles: {},
    left: 52,
    status: "playing",
    elapsed_ms: 0,
  };
  assert.ok(receive(race, empty, ME, 0).resend);
  assert.equal(commandOf(race, race.pending[0]).turn, 0);
});

test("a turn that the server took before the connection went is not sent again", () => {
  const race = begun(doublets);
  playTurn(race, [doublets.turns[0].move]);
  race.syncing = true;
  assert.ok(!receive(race, patch(doublets.turns[0], 0), ME, 0).resend);
  assert.equal(race.pending.length, 0);
});

test("a view from another turn drops what is pending", () => {
  const race = begun(doublets);
  playTurn(race, [doublets.turns[0].move]);
  receive(race, view(doublets.start, 3), ME, 0);
  assert.equal(race.pending.length, 0);
  assert.equal(race.confirmed.turn, 3);
});

test("an undo by a patch shows the board as it was", () => {
  const race = begun(doublets);
  receive(race, patch(doublets.turns[0], 0), ME, 0);
  const back = Object.fromEntries(
    Object.keys(doublets.turns[0].patch).map((pile) => [pile, [0, doublets.start.piles[pile]]]),
  );
  receive(
    race,
    {
      ...patch(doublets.turns[0], 1),
      turn: 2,
      turns: ["undo"],
      piles: back,
      left: 52,
      status: "playing",
    },
    ME,
    0,
  );
  assert.deepEqual(pilesOf(race.board), doublets.start.piles);
});

test("progress of others changes their seat alone", () => {
  const race = begun(doublets);
  receive(
    race,
    { type: "progress", race: "r", seat: 1, turn: 2, left: 48, status: "playing", elapsed_ms: 9 },
    ME,
    0,
  );
  assert.deepEqual(
    race.info.seats.map((seat) => seat.left),
    [52, 48],
  );
});

test("time runs from the start, stops when a seat is done, and at the limit", () => {
  const race = createRace({ ...info("doublets", "reserve"), starts_in_ms: -500 }, ME, 10_000);
  const seat = race.info.seats[0];
  assert.equal(elapsed(race, seat, 11_000), 1500);
  assert.equal(elapsed(race, seat, 10_000_000), 600_000);
  assert.equal(elapsed(race, { ...seat, status: "won", elapsed_ms: 77 }, 11_000), 77);
});

test("one who has no seat watches; after the end every board is kept", () => {
  const race = createRace(info("doublets", "reserve"), "somebody", 0);
  assert.equal(race.seat, null);
  assert.ok(receive(race, info("doublets", "reserve", "ended"), "somebody", 0).ended);
  receive(race, view(doublets.start), "somebody", 0);
  assert.deepEqual([...race.views.keys()], [0]);
});
