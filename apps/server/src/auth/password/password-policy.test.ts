import { readFileSync } from 'node:fs'
import { underLoad } from '@pult/testkit'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { checkNewPassword, type PasswordOwner } from './password-policy.ts'

const ada: PasswordOwner = { firstname: 'Ada', lastname: 'Lovelace', emails: ['countess@analytical.example'] }

function refusalFor(password: string, owner = ada): AppError | undefined {
  try {
    checkNewPassword(password, owner)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
const codeFor = (password: string, owner = ada) => refusalFor(password, owner)?.code

test.each([
  ['eight code points', 'kx7!mqzr'],
  ['256 code points', 'kx7!mqzr'.repeat(32)],
  ['Cyrillic', 'ёжикумные7'],
  ['Chinese', '天地玄黄宇宙洪荒'],
  ['astral characters, counted as one each', '🦊🌲🔑🎷🧭🪵🥁🪁'],
  ['spaces', '  river stone  '],
  ['own words among other words', 'Ada plays chess in Pult'],
])('RULE-02 a password of %s is accepted', (_, password) => {
  expect(codeFor(password)).toBeUndefined()
})

test.each([
  ['seven code points', 'kx7!mqz', 'PASSWORD_TOO_SHORT'],
  ['seven astral characters', '🦊🌲🔑🎷🧭🪵🥁', 'PASSWORD_TOO_SHORT'],
  ['seven code points that are eight before composition', 'kx7!mqe\u0301', 'PASSWORD_TOO_SHORT'],
  ['257 code points', 'a'.repeat(257), 'PASSWORD_TOO_LONG'],
  ['1800 bytes in 200 composed code points', '각'.normalize('NFD').repeat(200), 'PASSWORD_TOO_LONG'],
])('RULE-02 a password of %s is rejected', (_, password, code) => {
  expect(codeFor(password)).toBe(code)
})

test('RULE-03 the 3,000 most common passwords are rejected in upper and lower case and in any width', () => {
  const list = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^# |^#$/.test(line))
  expect(list.length).toBeGreaterThan(3000)
  for (const password of list) {
    expect(codeFor(password), password).toBe('PASSWORD_TOO_COMMON')
    expect(codeFor(password.toUpperCase()), password).toBe('PASSWORD_TOO_COMMON')
  }
  expect(codeFor('ｐａｓｓｗｏｒｄ')).toBe('PASSWORD_TOO_COMMON')
})

test.each([
  'password',
  'Password1',
  'P@ssw0rd',
  'passwort',
  'qwertyuiop',
  'iloveyou',
  '12345678',
  '1234567890',
  '0987654321',
  '123123123',
  'aaaaaaaa',
  'abcdefgh',
  '24121999',
  '24.12.1999',
  'jennifer',
  'november',
  'starwars',
  'Password123!',
  'Passw0rd!',
  'P@$$w0rd2026',
  'Summer2026!',
  'Welcome1!',
  'W1llkommen!',
  'Qwerty123!',
  'admin123!',
  'Adm1n2026',
  'changeme1',
  'letmein123',
  'Herbst2026!',
  'M0nday#1234',
  '12345678!',
  '123456789!',
  '1234567890!',
  '11111111!',
  '24.12.1999!',
  '!@#$%^&*',
  '1q2w3e4r5t!',
  '1qaz@WSX',
  'Abc123456!',
  'Password123456789',
  'Password24.12.1999!',
  'Qwerty1234567890',
  'Hall0123!',
  'passwordpassword',
  'Passwort1Passwort1',
  'Temp2026!',
  'Berlin2026!',
  'München2026',
  'Pässwörd1!',
  // With Cyrillic and Greek letters.
  'Раssword1!',
  'αdmιn2026',
])('RULE-03 the password %s is rejected', (password) => {
  expect(codeFor(password)).toBe('PASSWORD_TOO_COMMON')
})

test.each([
  'pult2026',
  'PultPult',
  'lovelace',
  'Lovelace1815!',
  'ada.lovelace',
  'AdaLovelace',
  'countess',
  'countess99',
  'analytical',
  'countess@analytical.example',
  'lovelace 1815 pult',
  'Lovelacé1815',
])('RULE-03 %s is rejected as a combination of words of the product and the user', (password) => {
  expect(codeFor(password)).toBe('PASSWORD_TOO_COMMON')
})

test.each([
  ['list', 'Summer2026!', 'on lists of common passwords', 'auf Listen häufiger Passwörter'],
  [
    'pattern',
    '24.12.1999!',
    'a date, a series or a repetition',
    'ein Datum, eine Reihe oder eine Wiederholung',
  ],
  ['own', 'Lovelace1815!', 'consists of your name', 'besteht aus Ihrem Namen'],
])(
  'RULE-03 the rejection for the reason %s states the reason and what to do',
  (reason, password, english, german) => {
    const refusal = refusalFor(password)
    expect(refusal).toMatchObject({ code: 'PASSWORD_TOO_COMMON', data: { reason } })
    expect(refusal?.specificMessage).toEqual({
      de: expect.stringMatching(`${english}.+ Use three or four unrelated words$`),
      'de-DE': expect.stringMatching(`${german}.*[.] Verwenden Sie drei oder vier Wörter`),
    })
  },
)

const goodPassphrases = [
  // English: word lists, sentences and password managers.
  'correct horse battery staple',
  'crumpet-anvil-lagoon-tweed',
  'Marble.Otter.Quilt.Sixpence',
  'velvet radish bicycle 42',
  'pickle umbrella sandstone',
  'nine owls borrow a ladder',
  'a moth in relay 70',
  'summer rain on tin',
  'My first car was a green one!',
  'We missed the last train in 1987.',
  'Grandma hides biscuits under the sink',
  'The kettle sings before dawn?',
  'Berlin is colder than I expected',
  'password 1 of Grace Hopper',
  'Monday coffee, Friday tea',
  'london fog swallows bridges',
  'tHe-RuStY-aNcHoR-7',
  'Lighthouse&Teapot2026!',
  'qwvz7-pmk3-ttr9',
  'kX9$mQ2!vLp7',
  'G7u-nRw2-pQz5-Lk8x',
  'zT4&hV8^bN1*',
  'pR5jWq8ZtY3m',
  'summer928374650192',
  '9482759201635',
  // German.
  'Pferd Batterie Heftklammer richtig',
  'Kranich-Teelöffel-Gewitter-Moos',
  'Zimt.Laterne.Dachs.Kompass',
  'wolke besen hafer 47',
  'Gurke Regenschirm Sandstein',
  'sieben Störche auf dem Dach',
  'neun Möwen über dem Hafen',
  'Sommerregen auf Wellblech',
  'Mein erstes Fahrrad war grün!',
  'Wir haben 1987 den Zug verpasst.',
  'Oma versteckt Kekse unter der Spüle',
  'Der Kessel pfeift vor Sonnenaufgang?',
  'In Hamburg regnet es seitwärts',
  'Montag Kaffee, Freitag Tee',
  'Herbst malt Blätter an die Wand',
  'Das Passwort von Oma Erna',
  'Willkommen im Club der Uhus',
  'drei Äpfel für Schneewittchen',
  'Übermut tut selten gut 12',
  'RostigerAnkerImSchlick7',
  'Leuchtturm&Teekanne2026!',
  'fünfzehn krumme Nägel',
  'größer-Maßstab-süß',
  'wG8!zRt3ßÜ5k',
  'Yx4-Äq9v-Bm2t',
]

test('RULE-03 the table has 50 good passphrases', () => {
  expect(new Set(goodPassphrases).size).toBe(50)
})

test.each(goodPassphrases)('RULE-03 the password %s is accepted', (password) => {
  expect(codeFor(password)).toBeUndefined()
})

test('RULE-03 a hostile name or password does not slow down the check', () => {
  const owner = {
    firstname: 'ab'.repeat(100),
    lastname: 'a'.repeat(200),
    emails: [`${'a.'.repeat(100)}a@b.c`],
  }
  const start = performance.now()
  expect(codeFor(`${'a'.repeat(255)}x`, owner)).toBeUndefined()
  expect(codeFor(`kx7!${'1'.repeat(252)}`, owner)).toBeUndefined()
  expect(codeFor(`kx7!${'1928374650'.repeat(25)}`, owner)).toBeUndefined()
  expect(performance.now() - start).toBeLessThan(underLoad(100))
})
