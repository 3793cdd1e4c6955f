// Makes the pages nicer; everything up to payment works without it.

/** The order's page shows what is true now, in place. */
function takeOver(text) {
  const fresh = new DOMParser().parseFromString(text, 'text/html')
  const main = fresh.querySelector('main')
  if (!main) return location.reload()
  document.title = fresh.title
  document.querySelector('main').replaceWith(main)
  dress()
}

async function refresh() {
  const answer = await fetch(location.href, { cache: 'no-store' })
  if (answer.ok) takeOver(await answer.text())
}

let source
let poll

function stopWatching() {
  source?.close()
  clearInterval(poll)
  source = poll = undefined
}

function watch(order) {
  stopWatching()
  if (!order || !('waiting' in order.dataset)) return
  const { order: path, key, status } = order.dataset
  const address = (what) => `${path}/${what}?key=${encodeURIComponent(key)}`
  const told = (now) => {
    if (now === status) return
    stopWatching()
    refresh().catch(() => location.reload())
  }
  source = new EventSource(address('events'))
  source.addEventListener('status', (event) => told(event.data))
  source.onerror = () => {
    if (source?.readyState !== EventSource.CLOSED || poll) return
    poll = setInterval(async () => {
      const answer = await fetch(address('status'), { cache: 'no-store' }).catch(() => undefined)
      if (answer?.ok) told((await answer.json()).status)
    }, 4000)
  }
}

/** "59:07 left", counted down each second. */
let clock
let renewal
const renewalMs = 10_000
function countDown() {
  clearInterval(clock)
  clearTimeout(renewal)
  const until = document.querySelector('[data-until]')
  if (!until) return
  const end = Date.parse(until.dateTime)
  const show = () => {
    const seconds = Math.max(0, Math.round((end - Date.now()) / 1000))
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
    const two = (value) => String(value).padStart(2, '0')
    const left = hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
    until.textContent = until.dataset.until.replace('{time}', left)
    if (seconds > 0 || !('renewed' in until.dataset)) return
    clearInterval(clock)
    // Not at once: a clock that is wrong would ask without end.
    renewal = setTimeout(() => refresh().catch(() => location.reload()), renewalMs)
  }
  clock = setInterval(show, 1000)
  show()
}

async function copy(button, text) {
  await navigator.clipboard.writeText(text)
  const words = button.textContent
  button.textContent = button.dataset.copied
  setTimeout(() => {
    button.textContent = words
  }, 1500)
}

/** Exact times in the reader's own zone. */
function localTimes() {
  const words = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'long', timeStyle: 'short' })
  for (const time of document.querySelectorAll('time[title]')) time.title = words.format(new Date(time.dateTime))
}

function dress() {
  for (const button of document.querySelectorAll('[data-copy], [data-copy-text]')) button.hidden = !navigator.clipboard
  localTimes()
  countDown()
  watch(document.querySelector('[data-order]'))
}

/** The picture in full, over the page; without script the link opens it. */
function zoom(link) {
  const dialog = document.createElement('dialog')
  dialog.className = 'zoom'
  dialog.ariaLabel = link.ariaLabel
  const picture = new Image()
  picture.src = link.href
  picture.alt = link.ariaLabel
  const close = document.createElement('button')
  close.className = 'button'
  close.textContent = link.dataset.zoom
  dialog.append(picture, close)
  dialog.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('[data-zoom]')
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
  if (!link || !isPlain) return
  event.preventDefault()
  zoom(link)
})

document.addEventListener('click', (event) => {
  const button = event.target.closest?.('[data-copy], [data-copy-text]')
  if (button) copy(button, button.dataset.copyText ?? button.previousElementSibling.textContent)
})

document.addEventListener('change', (event) => {
  const { name, dataset, form } = event.target
  if (name !== 'gateway' || !form) return
  form.querySelector('dd[data-total]').textContent = dataset.total
  form.querySelector('dd[data-fee]').textContent = dataset.fee
  for (const row of form.querySelectorAll('[data-fee-row]')) row.hidden = dataset.hasFee === ''
})

document.addEventListener('submit', async (event) => {
  const form = event.target
  // A second click sends nothing; the button itself must stay enabled until it was sent.
  if (form.dataset.sent) return event.preventDefault()
  if (form.method === 'post') form.dataset.sent = 'yes'
  if (!('inPlace' in form.dataset)) return
  event.preventDefault()
  const answer = await fetch(form.action, { method: 'POST', body: new URLSearchParams() }).catch(() => undefined)
  if (answer?.ok) takeOver(await answer.text())
  else form.submit()
})

// In a frame on another site, the page around cannot hear the key that closes it.
if (parent !== window)
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape') parent.postMessage('keystall: close', '*')
  })

// A page that comes back from the browser's memory may be sent again.
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent
})

dress()
