import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { hiddenCharacters } from './hidden-characters.ts'

describe('hidden characters', () => {
  test('direction controls, stray zero-width characters and controls are hidden', () => {
    for (const each of [
      '\u202e',
      '\u2066',
      '\u200f',
      '\u061c',
      '\u200b',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\n',
      '\t',
      '\u0007',
      '\u3164',
      '\u{e0041}',
    ]) {
      assert.ok(hiddenCharacters(`a${each}b`), `U+${each.codePointAt(0)?.toString(16)}`)
    }
    assert.ok(hiddenCharacters('pay\u200dpal'))
    assert.ok(hiddenCharacters('\u200c'))
  })

  test('emoji and the scripts that need joiners are not', () => {
    for (const each of [
      '👩‍👩‍👧‍👦',
      '👩🏽‍🚀',
      '❤️‍🔥',
      '🏳️‍🌈',
      '🤷‍♀️',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
      'می‌خواهم',
      'क्‍ष',
      'Ключ №1',
      '日本語',
      'é',
      'e\u0301',
    ]) {
      assert.ok(!hiddenCharacters(each), each)
    }
  })
})
