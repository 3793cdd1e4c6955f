// Loaded before the server: told so, something in it fails where nobody waits for it.

process.on('message', (message) => {
  const { FAIL } = Object(message)
  if (FAIL === 'timer') {
    setTimeout(() => {
      throw new Error('thrown in a timer')
    })
  }
  if (FAIL === 'rejection') void Promise.reject(new Error('nobody waits for this'))
  if (FAIL === 'listener') throw new Error('thrown in a listener')
})
