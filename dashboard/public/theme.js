// A file of its own, loaded before the first paint: the page's policy allows no inline script, and a theme that
// arrives with the app would flash.
;(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)')

  function chosen() {
    try {
      return localStorage.getItem('theme')
    } catch {
      return null
    }
  }

  function apply() {
    const choice = chosen()
    const isDark = choice === 'dark' || (choice !== 'light' && dark.matches)
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  }

  apply()
  dark.addEventListener('change', apply)
  addEventListener('storage', apply)
  addEventListener('themechosen', apply)
})()
