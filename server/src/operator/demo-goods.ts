/** What the demo store sells: one of everything that a seller may want to try. */

export interface DemoProduct {
  name: string
  cost: number
  description: string
  tags: string[]
  group?: 'Games' | 'Books and assets' | 'Software'
  visibility?: 0 | 1
  isBestSeller?: boolean
  deliveryMessage?: string
  customValueKeys?: string[]
  maximumQuantity?: number
  /** How many keys are on sale, and how they look. */
  keys?: { count: number; prefix: string }
  file?: { name: string; text: string }
  webhookUrl?: string
  /** The two colours of its picture. */
  colours: [from: string, to: string]
}

export const demoStore = {
  name: 'Lantern & Key',
  url: 'demo',
  title: 'Lantern & Key: games, books and small software',
  leadingText: 'A demo store',
  description:
    'Game keys, small books and **tools that stay out of your way**. Everything is delivered the moment it is paid.',
  announcement: 'This is a demo: pay with the **test** method and watch what a buyer sees.',
  sellerMessage: 'Hello, I am the demo seller. Write to me by opening a ticket from your order page.',
  termsOfService:
    '## Terms\n\nKeys are delivered once and work once. If a key does not work, open a ticket within 14 days and you get another one, or your money back.',
  privacyPolicy:
    '## Privacy\n\nWe keep your e-mail address to deliver what you bought, and nothing else. Visits are counted without cookies.',
  copyright: '© Lantern & Key',
  accentColor: '#0f766e',
  socialMediaAccounts: { chat: 'lantern-and-key', microblog: '@lanternandkey' },
}

export const demoFaq = [
  {
    title: 'How fast is delivery?',
    description:
      'At once. When the payment is confirmed, your keys and files are on the order page and in your mailbox.',
  },
  {
    title: 'A key does not work. What now?',
    description: 'Open a ticket **from your order page**. We look at it the same day and replace the key.',
  },
  {
    title: 'Can I download a file again?',
    description: 'Yes. The link in your mail leads back to your order, and the file stays there.',
  },
  { title: 'Which ways to pay are there?', description: 'Those that the checkout shows. In this demo: play money.' },
]

export const demoProducts: DemoProduct[] = [
  {
    name: 'Nebula Drift (game key)',
    cost: 14.99,
    group: 'Games',
    isBestSeller: true,
    tags: ['game', 'space', 'racing'],
    description:
      'Race through the rings of a dying star.\n\n- 42 tracks, each different at dusk\n- split screen for four\n- no account needed, the key unlocks everything',
    deliveryMessage: 'Thank you. Enter the key under *Settings → Unlock*. See you at the rings.',
    keys: { count: 120, prefix: 'NEBULA' },
    colours: ['#1e1b4b', '#7c3aed'],
  },
  {
    name: 'Hollow Garden (game key)',
    cost: 9.5,
    group: 'Games',
    tags: ['game', 'puzzle', 'calm'],
    description: 'A quiet puzzle about **letting things grow**. Four hours, no timers, no enemies.',
    keys: { count: 35, prefix: 'GARDEN' },
    colours: ['#14532d', '#a3e635'],
  },
  {
    name: 'Mystery key, any game',
    cost: 2.49,
    group: 'Games',
    maximumQuantity: 3,
    tags: ['game', 'surprise'],
    description: 'One key out of our drawer. It may be a classic. It may be a farming simulator. Only a few are left.',
    keys: { count: 4, prefix: 'MYSTERY' },
    colours: ['#7c2d12', '#fb923c'],
  },
  {
    name: 'The small shop handbook',
    cost: 12,
    group: 'Books and assets',
    isBestSeller: true,
    tags: ['book', 'business'],
    description:
      'How one person sells digital things and sleeps well: prices, refunds, taxes in plain words, and what to write when something breaks.\n\n*60 pages, without padding.*',
    file: {
      name: 'the-small-shop-handbook.md',
      text: '# The small shop handbook\n\n## 1 Sell one thing well\n\nA shop with one good product is a shop. Begin there.\n\n## 2 Answer within a day\n\nMost refunds are answers that came too late.\n\n## 3 Keep the receipt short\n\nWhat was bought, what it cost, where to ask.\n',
    },
    colours: ['#78350f', '#fde68a'],
  },
  {
    name: 'Forty line icons, free edition',
    cost: 0,
    group: 'Books and assets',
    tags: ['icons', 'free'],
    description: 'Forty icons on a 24 px grid, for your own projects and your clients’. Free, with our regards.',
    file: {
      name: 'forty-line-icons.svg',
      text: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.5"><path d="M4 12a4 4 0 1 0 8 0 4 4 0 1 0-8 0m8 0h9m-3 0v4"/></svg>\n',
    },
    colours: ['#0c4a6e', '#7dd3fc'],
  },
  {
    name: 'Inkwell 3 with licence',
    cost: 39,
    group: 'Software',
    tags: ['software', 'writing'],
    description:
      'A writing desk for long texts: **one window, no cloud**. You get the program and a licence key for three machines.',
    deliveryMessage: 'Start Inkwell, choose *Enter licence*, and paste your key.',
    keys: { count: 50, prefix: 'INKWELL' },
    file: { name: 'inkwell-3-read-me.txt', text: 'Inkwell 3\n\nThis is a demo: here would be the program.\n' },
    colours: ['#134e4a', '#5eead4'],
  },
  {
    name: "Founder's badge 2025",
    cost: 5,
    group: 'Software',
    tags: ['badge'],
    description: 'A badge beside your name, for those who were here first. **Sold out**, as it should be.',
    colours: ['#831843', '#f9a8d4'],
  },
  {
    name: 'Name certificate, made to order',
    cost: 3,
    visibility: 1,
    tags: ['dynamic'],
    description: 'Made by a webhook while you wait. This product is unlisted: you found it by its address.',
    customValueKeys: ['Name on the certificate'],
    webhookUrl: 'https://example.com/keystall/certificate',
    colours: ['#312e81', '#93c5fd'],
  },
]
