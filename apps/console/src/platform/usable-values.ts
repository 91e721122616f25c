import type { ExtensionAction } from '@pult/sdk'
import type { ConsoleHost, OfferedAction } from '@pult/sdk/host'
import { messageOf } from './api-error.ts'

/*
 * Converts values that extensions pass to the console, before it shows or stores them. An unexpected value in the frame
 * would break the whole page. Extensions are JavaScript, so a value can have any type.
 */

type Notification = Parameters<ConsoleHost['notify']>[0]

const tones: Record<NonNullable<Notification['tone']>, true> = {
  info: true,
  success: true,
  warning: true,
  danger: true,
}

/** Returns a notification with texts only: the message of an error that was passed as a text. */
export function usableNotification({ title, text, tone, error, undo }: Notification): Notification {
  return {
    title: textOf(title) ?? '',
    text: textOf(text),
    error,
    ...(tone !== undefined && Object.hasOwn(tones, tone) && { tone }),
    undo: typeof undo === 'function' ? undo : undefined,
  }
}

/**
 * Returns an action that the palette can show and find. Wrong optional values are left out, because the action works
 * without them. Without a label it shows its id.
 */
export function usableAction<Action extends OfferedAction | ExtensionAction>(action: Action): Action {
  const { id, label, icon, keywords, shortcut, run, ...rest } = action
  return {
    ...rest,
    id,
    label: isText(label) ? label : id,
    keywords: [keywords].flat().filter((word) => typeof word === 'string'),
    // A method of a class is not copied with the rest.
    run,
    ...(isText(icon) && { icon }),
    ...(isText(shortcut) && { shortcut }),
  } as unknown as Action
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (value instanceof Error || typeof value === 'number') return messageOf(value)
  return undefined
}
