import * as z from 'zod/mini'
import { wholeNumber } from '../collection.ts'
import { cleanLines, isWithinLength, reportText } from '../text.ts'
import { label, labels, word } from './app-manifest.ts'

const description = z.optional(reportText(500))
const common = {
  id: word,
  /** Whether the installation, each project or each user has a value. */
  scope: z._default(z.enum(['installation', 'project', 'person']), 'project'),
  label,
  labels,
  /** Help below the field. */
  description,
  descriptions: z.optional(z.strictObject({ en: description, 'de-DE': description })),
} as const

export const settingLimits = { count: 30, text: 1000, options: 50, storedBytes: 3072 } as const

/** Maximum number of characters of a text. */
const maxLength = z._default(wholeNumber(1, settingLimits.text), settingLimits.text)
/** As the server stores the values of users. */
const text = z.string().check(z.maxLength(4 * settingLimits.text, { abort: true }), z.overwrite(cleanLines))
const option = z.strictObject({ id: word, label, labels })

/** A value that users set for an extension. The console generates the form. */
export const settingManifest = z
  .discriminatedUnion('type', [
    z.strictObject({ ...common, type: z.literal('text'), default: z.optional(text), maxLength }),
    z.strictObject({
      ...common,
      type: z.literal('number'),
      default: z.optional(z.number()),
      min: z.optional(z.number()),
      max: z.optional(z.number()),
    }),
    z.strictObject({ ...common, type: z.literal('switch'), default: z._default(z.boolean(), false) }),
    z.strictObject({
      ...common,
      type: z.literal('choice'),
      default: z.optional(word),
      options: z.array(option).check(z.minLength(1), z.maxLength(settingLimits.options)),
    }),
    /** A text that the server encrypts. Only the extension's service receives it. */
    z.strictObject({ ...common, type: z.literal('secret'), maxLength }),
  ])
  .check(
    z.refine(
      (setting) =>
        setting.type === 'secret' ||
        setting.default === undefined ||
        misfitOf(setting, setting.default) === null,
      'Must have a default that is a valid value',
    ),
  )
export type SettingManifest = z.infer<typeof settingManifest>

export type SettingValue = string | number | boolean

/** Reasons why a value is invalid for its setting. */
export const misfits = ['type', 'range', 'length', 'choice', 'was-secret', 'no-secret'] as const
export type Misfit = (typeof misfits)[number]

/** The parts of a setting that decide which values are valid. */
type SettingRule =
  | { type: 'text' | 'secret'; maxLength: number }
  | { type: 'number'; min?: number | undefined; max?: number | undefined }
  | { type: 'switch' }
  | { type: 'choice'; options: readonly { id: string }[] }

/** Returns why a value is invalid for a setting; null if it is valid. */
export function misfitOf(rule: SettingRule, value: unknown): Misfit | null {
  switch (rule.type) {
    case 'number': {
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'type'
      return value < (rule.min ?? value) || value > (rule.max ?? value) ? 'range' : null
    }
    case 'switch':
      return typeof value === 'boolean' ? null : 'type'
    case 'choice':
      return rule.options.some(({ id }) => id === value) ? null : 'choice'
    case 'text':
    case 'secret':
      if (typeof value !== 'string') return 'type'
      return isWithinLength(value, rule.maxLength) ? null : 'length'
  }
}
