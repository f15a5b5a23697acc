/** A few soft tones, made on the spot; off unless asked for. */

/** @type {AudioContext | null} */
let context = null;

/** @type {Record<string, [frequency: number, after: number][]>} */
const TUNES = {
  took: [[660, 0]],
  refused: [[160, 0]],
  began: [
    [440, 0],
    [660, 0.09],
  ],
  ended: [
    [523, 0],
    [659, 0.1],
    [784, 0.2],
  ],
};

/** @param {"took" | "refused" | "began" | "ended"} name */
export function play(name) {
  context ??= new AudioContext();
  const start = context.currentTime;
  for (const [frequency, after] of TUNES[name]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.08, start + after);
    volume.gain.exponentialRampToValueAtTime(0.001, start + after + 0.14);
    tone.connect(volume).connect(context.destination);
    tone.start(start + after);
    tone.stop(start + after + 0.15);
  }
}
