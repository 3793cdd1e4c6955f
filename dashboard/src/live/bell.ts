let context: AudioContext | undefined

/** Two soft notes, made here: no file to load. */
export function ring() {
  context ??= new AudioContext()
  void context.resume()
  const now = context.currentTime
  note(context, 880, now)
  note(context, 1174.7, now + 0.14)
}

function note(to: AudioContext, frequency: number, at: number) {
  const [tone, loudness] = [to.createOscillator(), to.createGain()]
  tone.frequency.value = frequency
  loudness.gain.setValueAtTime(0, at)
  loudness.gain.linearRampToValueAtTime(0.12, at + 0.02)
  loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.5)
  tone.connect(loudness).connect(to.destination)
  tone.start(at)
  tone.stop(at + 0.55)
}
