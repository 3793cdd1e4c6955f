import { describe, expect, test } from 'vitest'
import { Kept } from './kept.ts'

const answer = (text: string) => ({ route: '/', body: Buffer.from(text), tag: `"${text}"`, headers: {} })

describe('kept answers', () => {
  test('live less than a second', () => {
    let now = 0
    const kept = new Kept(() => now)
    kept.keep('/a', 'store', kept.begin(), answer('first'))
    now = 499
    expect(kept.find('/a')?.tag).toBe('"first"')
    now = 899
    kept.find('/a')
    expect(kept.find('/a')?.tag).toBe('"first"')
    now = 901
    expect(kept.find('/a')).toBeUndefined()
  })

  test('are made anew by one caller before they end, while the others are given the old', () => {
    let now = 0
    const kept = new Kept(() => now)
    kept.keep('/a', 'store', kept.begin(), answer('first'))
    now = 600
    expect(kept.find('/a')).toBeUndefined()
    expect(kept.find('/a')?.tag).toBe('"first"')
    kept.keep('/a', 'store', kept.begin(), answer('second'))
    expect(kept.find('/a')?.tag).toBe('"second"')
    now = 1000
    expect(kept.find('/a')?.tag).toBe('"second"')
  })

  test('end with the first change of their store, and of no other', () => {
    const kept = new Kept()
    kept.keep('/a', 'store', kept.begin(), answer('a'))
    kept.keep('/b', 'other', kept.begin(), answer('b'))
    kept.forget('store')
    expect(kept.find('/a')).toBeUndefined()
    expect(kept.find('/b')?.tag).toBe('"b"')
    kept.forgetAll()
    expect(kept.find('/b')).toBeUndefined()
  })

  test('are not kept when their store was changed while they were read', () => {
    const kept = new Kept()
    const [one, all, after] = [kept.begin(), kept.begin(), () => kept.begin()]
    kept.forget('store')
    kept.keep('/a', 'store', one, answer('old'))
    expect(kept.find('/a')).toBeUndefined()
    kept.keep('/a', 'other', one, answer('another’s'))
    expect(kept.find('/a')).toBeDefined()
    kept.forgetAll()
    kept.keep('/b', 'other', all, answer('old'))
    expect(kept.find('/b')).toBeUndefined()
    kept.keep('/b', 'other', after(), answer('new'))
    expect(kept.find('/b')?.tag).toBe('"new"')
  })

  test('are not forgotten to have changed when very many stores change', () => {
    const kept = new Kept()
    const reading = kept.begin()
    for (let index = 0; index < 10_005; index += 1) kept.forget(`store ${index}`)
    kept.keep('/a', 'store 3', reading, answer('old'))
    expect(kept.find('/a')).toBeUndefined()
  })

  test('take a bounded space, the oldest going first', () => {
    const kept = new Kept()
    const large = (tag: string) => ({ route: '/', body: Buffer.alloc(8 * 1024 * 1024), tag, headers: {} })
    for (const name of ['1', '2', '3', '4', '5']) kept.keep(name, 'store', kept.begin(), large(name))
    expect(kept.find('1')).toBeUndefined()
    expect(kept.find('2')).toBeUndefined()
    expect(kept.find('5')).toBeDefined()
  })
})
