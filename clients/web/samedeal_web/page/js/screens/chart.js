/** A race as a chart. */

import { formatTime } from "../clock.js";
import { svg } from "../dom.js";
import { leaders } from "../timeline.js";

/** @typedef {import("../../../../types.js").Replay} Replay */

/**
 * Cards left over time, a line a seat, and below it who led.
 * @param {Replay} replay
 * @param {import("../timeline.js").Position[][]} seats
 * @param {number} end
 * @param {SVGElement} cursor
 */
export function chart(replay, seats, end, cursor) {
  const most = Math.max(1, ...seats.map(([first]) => first.left));
  const x = (/** @type {number} */ ms) => ((ms / end) * 1000).toFixed(1);
  const y = (/** @type {number} */ left) => (6 + 168 * (1 - left / most)).toFixed(1);
  const lines = seats.map((positions, index) => {
    const path = positions
      .map(({ at_ms, left }, at) => (at ? `H${x(at_ms)}V${y(left)}` : `M0 ${y(left)}`))
      .join("");
    return svg("path", { class: `trace seat-${replay.seats[index].seat % 8}`, d: `${path}H1000` });
  });
  const led = leaders(seats, end).map(({ seat, from, to }) =>
    svg("rect", {
      class: `led seat-${replay.seats[seat].seat % 8}`,
      x: x(from),
      y: 184,
      width: Math.max(0, Number(x(to)) - Number(x(from))),
      height: 12,
    }),
  );
  return svg(
    "svg",
    {
      class: "chart",
      viewBox: "0 0 1000 200",
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": `Cards cleared over time; the strip below shows who led. ${ledInWords(replay, seats, end)}`,
    },
    ...lines,
    ...led,
    cursor,
  );
}

/**
 * @param {Replay} replay
 * @param {import("../timeline.js").Position[][]} seats
 * @param {number} end
 */
const ledInWords = (replay, seats, end) =>
  leaders(seats, end)
    .slice(0, 8)
    .map(({ seat, from }) => `${replay.seats[seat].name} from ${formatTime(from)}`)
    .join(", ");
