// Loaded before the server: every look at the clock is wrong by CLOCK_SHIFT_DAYS, of the environment or of what the
// starter says later.

const dayMs = 24 * 60 * 60 * 1000
let shiftMs = Number(process.env['CLOCK_SHIFT_DAYS'] ?? 0) * dayMs
process.on('message', (message) => {
  const days = Object(message)['CLOCK_SHIFT_DAYS']
  if (days !== undefined) shiftMs = Number(days) * dayMs
})
const rightNow = Date.now
const now = () => rightNow() + shiftMs

globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
