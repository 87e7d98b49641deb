/** The sounds of a table, made on the spot by oscillators: nothing is loaded. */
import type { Heard, Sound } from '../state/heard';

interface Tone {
  from_hz: number;
  to_hz: number;
  length_s: number;
  shape: OscillatorType;
  after_s: number;
}

const tone = (from_hz: number, to_hz: number, length_s: number, shape: OscillatorType = 'triangle', after_s = 0): Tone =>
  ({ from_hz, to_hz, length_s, shape, after_s });

const TONES: Record<Sound | 'talk', Tone[]> = {
  move: [tone(320, 150, .07)],
  capture: [tone(480, 110, .09, 'square')],
  drop: [tone(210, 330, .09)],
  check: [tone(660, 640, .1), tone(880, 860, .12, 'triangle', .1)],
  end: [tone(523, 523, .18), tone(659, 659, .18, 'triangle', .16), tone(784, 784, .35, 'triangle', .32)],
  talk: [tone(1050, 1250, .06, 'sine')],
};
const FULL = .25;
const QUIET = .07;

/** Plays nothing until the browser allows it: after the first click or key on the page. */
export class Sounds {
  private context: AudioContext | null = null;

  play({ sound, quiet }: Heard | { sound: 'talk'; quiet: boolean }): void {
    if (!navigator.userActivation.hasBeenActive) return;
    this.context ??= new AudioContext();
    for (const one of TONES[sound]) this.sound(this.context, one, quiet ? QUIET : FULL);
  }

  private sound(context: AudioContext, { from_hz, to_hz, length_s, shape, after_s }: Tone, volume: number): void {
    const start_s = context.currentTime + after_s;
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.type = shape;
    oscillator.frequency.setValueAtTime(from_hz, start_s);
    oscillator.frequency.exponentialRampToValueAtTime(to_hz, start_s + length_s);
    gain.gain.setValueAtTime(volume, start_s);
    gain.gain.exponentialRampToValueAtTime(.001, start_s + length_s);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(start_s);
    oscillator.stop(start_s + length_s);
  }
}
