// One script for any site: links to products that carry data-keystall open the store's checkout over the page.
;(() => {
  const productPath = /^\/product\/([0-9a-f-]{36})$/

  /** The checkout of the product that the link leads to; undefined when it leads elsewhere. */
  function checkoutOf(link) {
    const { protocol, origin, pathname } = new URL(link.href)
    const [, id] = productPath.exec(pathname) ?? []
    if (!id || !/^https?:$/.test(protocol)) return undefined
    const address = new URL(`/embed/${id}`, origin)
    const language = link.dataset.keystallLanguage ?? document.documentElement.lang.slice(0, 2)
    if (/^[a-z]{2}$/.test(language)) address.searchParams.set('lang', language)
    return address.href
  }

  function open(address, label) {
    const dialog = document.createElement('dialog')
    dialog.setAttribute('aria-label', label)
    Object.assign(dialog.style, {
      width: 'min(960px, 100vw)',
      maxWidth: '100vw',
      height: 'min(820px, 100dvh)',
      maxHeight: '100dvh',
      padding: '0',
      border: '0',
      borderRadius: '10px',
      overflow: 'hidden',
      background: 'Canvas',
      boxShadow: '0 24px 64px rgb(0 0 0 / 0.35)',
    })
    const close = document.createElement('button')
    close.type = 'button'
    close.textContent = '✕'
    close.setAttribute('aria-label', 'Close')
    Object.assign(close.style, {
      position: 'absolute',
      top: '10px',
      right: '10px',
      width: '44px',
      height: '44px',
      border: '0',
      borderRadius: '6px',
      background: 'Canvas',
      color: 'CanvasText',
      font: '18px system-ui, sans-serif',
      cursor: 'pointer',
    })
    const frame = document.createElement('iframe')
    frame.title = label
    frame.src = address
    frame.referrerPolicy = 'origin'
    Object.assign(frame.style, { width: '100%', height: '100%', border: '0', display: 'block' })
    close.addEventListener('click', () => dialog.close())
    const hear = ({ source, data }) => {
      if (source === frame.contentWindow && data === 'keystall: close') dialog.close()
    }
    addEventListener('message', hear)
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close()
    })
    dialog.addEventListener('close', () => {
      removeEventListener('message', hear)
      dialog.remove()
    })
    dialog.append(frame, close)
    document.body.append(dialog)
    dialog.showModal()
  }

  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[data-keystall]')
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    const address = link && isPlain ? checkoutOf(link) : undefined
    if (!address) return
    event.preventDefault()
    open(address, link.textContent.trim() || 'Checkout')
  })
})()
