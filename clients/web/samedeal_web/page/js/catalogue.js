/**
 * The games as the home page shows them, known before any server is reached.
 * Titles, descriptions and variants are the catalogue's own words.
 */

/**
 * @typedef {{ name: string, title: string, about: string }} Variant
 * @typedef {{ name: string, title: string, about: string, variants: Variant[] }} Game
 */

/** @type {Game[]} The first variant of a game is its default. */
export const GAMES = [
  {
    name: "simple-pairs",
    title: "Simple Pairs",
    about: "Spot two cards of the same rank, faster than anybody else.",
    variants: [
      {
        name: "standard",
        title: "Standard",
        about: "Nine cards showing, 43 in the stock.",
      },
    ],
  },
  {
    name: "doublets",
    title: "Doublets",
    about: "Match equal ranks and turn up what lies beneath.",
    variants: [
      {
        name: "reserve",
        title: "With a reserve",
        about: "The other four cards refill the first piles you empty.",
      },
      {
        name: "sealed",
        title: "Four sealed",
        about: "The other four cards, in equal pairs, stay out of play unseen.",
      },
    ],
  },
  {
    name: "juvenile",
    title: "Juvenile",
    about: "Pair up cards that add to fourteen until nothing is left.",
    variants: [
      {
        name: "one-deck",
        title: "One deck",
        about: "52 cards in eight piles, all face up, no stock.",
      },
      {
        name: "two-decks",
        title: "Two decks",
        about: "Eight piles of eight; 40 more cards refill the piles you empty.",
      },
      {
        name: "seventeen-piles",
        title: "Seventeen piles",
        about: "Two decks in seventeen piles, all face up, no stock; the easy one.",
      },
    ],
  },
  {
    name: "straight-fifteens",
    title: "Straight Fifteens",
    about: "Add up cards to fifteen, and save the courts for sets of four.",
    variants: [
      {
        name: "either",
        title: "Either set",
        about: "Court sets: four of a kind or one each of 10, J, Q, K; courts count 10.",
      },
      {
        name: "straight",
        title: "Straight",
        about: "Court sets: one each of 10, J, Q, K only; courts count 10 in fifteens.",
      },
      {
        name: "four-of-a-kind",
        title: "Four of a kind",
        about: "Court sets: four of a kind only; courts count 10 in fifteens.",
      },
      {
        name: "courts-apart",
        title: "Courts apart",
        about: "Court sets: one each of 10, J, Q, K; courts are never part of a fifteen.",
      },
    ],
  },
  {
    name: "private-lane",
    title: "Private Lane",
    about: "Build all four suits up from the ace; every card is in sight.",
    variants: [
      {
        name: "by-suit",
        title: "By suit",
        about: "Piles build down in suit; most deals cannot be won.",
      },
      {
        name: "any-suit",
        title: "Any suit",
        about: "Piles build down regardless of suit; nearly every deal can be won.",
      },
    ],
  },
];

/**
 * @param {string} name
 * @returns {Game}
 */
export function findGame(name) {
  return GAMES.find((game) => game.name === name) ?? GAMES[0];
}

/**
 * @param {string} game
 * @param {string} variant
 * @returns {Variant}
 */
export function findVariant(game, variant) {
  const { variants } = findGame(game);
  return variants.find((item) => item.name === variant) ?? variants[0];
}

/**
 * "Doublets", or "Doublets · Four sealed" where there is a choice.
 * @param {string} game
 * @param {string} variant
 */
export function fullTitle(game, variant) {
  const { title, variants } = findGame(game);
  return variants.length > 1 ? `${title} · ${findVariant(game, variant).title}` : title;
}
