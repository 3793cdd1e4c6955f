import { useState } from 'react'
import { ring } from '../live/bell.ts'
import { changePreferences, useLivePreferences } from '../live/preferences.ts'
import { Section } from '../ui/Card.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Notice } from '../ui/Notice.tsx'

/** How this browser tells of new orders and tickets while the dashboard is open. */
export function LiveSection() {
  const { hasSound, hasNotifications } = useLivePreferences()
  const [isRefused, setIsRefused] = useState(false)
  const canNotify = 'Notification' in window

  async function setNotifications(isWanted: boolean) {
    const answer = isWanted ? await Notification.requestPermission() : 'granted'
    setIsRefused(answer !== 'granted')
    changePreferences({ hasNotifications: isWanted && answer === 'granted' })
  }

  return (
    <Section id="news" title="New orders and tickets" words="In this browser, while the dashboard is open.">
      <div className="flex flex-col gap-4">
        <Checkbox
          label="Play a sound"
          help="Two soft notes for each sale and each new ticket."
          checked={hasSound}
          onChange={(event) => {
            changePreferences({ hasSound: event.target.checked })
            if (event.target.checked) ring()
          }}
        />
        <Checkbox
          label="Show a desktop notification"
          help={
            canNotify ? 'When the dashboard is not in sight. The browser asks first.' : 'This browser offers none here.'
          }
          disabled={!canNotify}
          checked={hasNotifications}
          onChange={(event) => void setNotifications(event.target.checked)}
        />
        {isRefused && (
          <Notice kind="warning">
            The browser refuses notifications from this address. Allow them in its settings for this site, then tick the
            box again.
          </Notice>
        )}
      </div>
    </Section>
  )
}
