// The search, the menu and the chosen language; every page can be read without them.
const field = document.getElementById('search')
const list = document.getElementById('found')
const menu = document.querySelector('details.menu')
let index

const wide = matchMedia('(min-width: 900px)')
const openMenu = () => {
  menu.open = wide.matches
}
openMenu()
wide.addEventListener('change', openMenu)

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return show([])
  index ??= fetch('/docs/search.json').then((answer) => answer.json())
  const scored = (await index).flatMap((entry) => {
    const title = entry.title.toLowerCase()
    const rest = `${entry.under.toLowerCase()} ${entry.words}`
    if (!words.every((word) => title.includes(word) || rest.includes(word))) return []
    return [{ entry, score: words.filter((word) => title.includes(word)).length }]
  })
  show(
    scored
      .sort((a, b) => b.score - a.score)
      .slice(0, 12)
      .map(({ entry }) => entry),
  )
}

function show(entries) {
  list.replaceChildren(
    ...entries.map(({ title, under, url }) => {
      const link = document.createElement('a')
      link.href = url
      link.append(Object.assign(document.createElement('strong'), { textContent: title }))
      link.append(Object.assign(document.createElement('span'), { textContent: under }))
      const item = document.createElement('li')
      item.role = 'option'
      item.append(link)
      return item
    }),
  )
  const isNothing = entries.length === 0 && field.value.trim() !== ''
  if (isNothing) {
    list.append(Object.assign(document.createElement('li'), { className: 'nothing', textContent: 'Nothing found' }))
  }
  list.hidden = list.children.length === 0
  field.setAttribute('aria-expanded', String(!list.hidden))
}

function move(event) {
  const links = [...list.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === 'Escape') {
    field.value = ''
    show([])
    field.focus()
  } else if (event.key === 'ArrowDown' && links.length > 0) {
    event.preventDefault()
    links[Math.min(at + 1, links.length - 1)].focus()
  } else if (event.key === 'ArrowUp' && at >= 0) {
    event.preventDefault()
    const before = at === 0 ? field : links[at - 1]
    before.focus()
  } else if (event.key === 'Enter' && document.activeElement === field && links.length > 0) {
    links[0].click()
  }
}

field.addEventListener('input', search)
field.closest('search').addEventListener('keydown', move)
list.addEventListener('click', () => show([]))
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return
  event.preventDefault()
  field.focus()
})

// Who reads Python in one place reads it in all.
function choose(language) {
  for (const radio of document.querySelectorAll(`.examples input[value="${language}"]`)) radio.checked = true
}
const chosen = localStorage.getItem('docs-language')
if (chosen) choose(chosen)
for (const radio of document.querySelectorAll('.examples input')) {
  radio.addEventListener('change', () => {
    const before = radio.getBoundingClientRect().top
    choose(radio.value)
    scrollBy(0, radio.getBoundingClientRect().top - before)
    localStorage.setItem('docs-language', radio.value)
  })
}

for (const block of document.querySelectorAll('main pre')) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'copy',
    textContent: 'Copy',
  })
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  block.append(button)
}
