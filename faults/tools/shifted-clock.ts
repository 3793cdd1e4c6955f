// Loaded before the server: every look at the clock is wrong by CLOCK_SHIFT_DAYS.

const shiftMs = Number(process.env['CLOCK_SHIFT_DAYS']) * 24 * 60 * 60 * 1000
const rightNow = Date.now
const now = () => rightNow() + shiftMs

globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
