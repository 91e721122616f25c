import { type LabelledHotkey, labelledHotkeys } from '@pult/sdk/host'
import { Button, Dialog, Kbd } from '@pult/ui'
import { useState } from 'react'
import { offeredActions } from '#platform/offered-actions.ts'
import { ownActions } from '../extensions/actions.ts'
import { pages } from '../pages/pages.tsx'
import { shortcutOf } from '../palette/shortcut-of.ts'
import styles from './ShortcutsDialog.module.css'
import { texts } from './shortcuts.texts.ts'

interface Group {
  title: string
  shortcuts: readonly Shortcut[]
}

interface Shortcut {
  label: string
  /** Alternatives, or keys of a combination. */
  keys: readonly string[]
}

const groups: readonly Group[] = [
  {
    title: texts.everywhere,
    shortcuts: [
      { label: texts.palette, keys: ['Mod+K'] },
      { label: texts.shortcuts, keys: ['?'] },
      { label: texts.save, keys: ['Mod+S'] },
      { label: texts.closeTopmost, keys: ['Esc'] },
    ],
  },
  {
    title: texts.places,
    shortcuts: [
      ...Object.values(pages).flatMap(({ label, letter }) =>
        letter === undefined ? [] : [{ label, keys: ['G', letter.toUpperCase()] }],
      ),
      { label: texts.apps, keys: ['G', 'A'] },
      { label: texts.switchProject, keys: ['P'] },
      { label: texts.recentProject, keys: ['1', '2', '3'] },
    ],
  },
  {
    title: texts.lists,
    shortcuts: [
      { label: texts.move, keys: ['←', '→', '↑', '↓'] },
      { label: texts.ends, keys: ['Home', 'End'] },
      { label: texts.openItem, keys: ['Enter'] },
    ],
  },
  {
    title: texts.windows,
    shortcuts: [
      { label: texts.inWindow, keys: ['Mod+Enter'] },
      { label: texts.nextWindow, keys: ['F6'] },
      { label: texts.previousWindow, keys: ['Shift+F6'] },
      { label: texts.left, keys: ['Mod+Alt+←'] },
      { label: texts.right, keys: ['Mod+Alt+→'] },
      { label: texts.maximise, keys: ['Mod+Alt+↑'] },
      { label: texts.restore, keys: ['Mod+Alt+↓'] },
      { label: texts.moveWindow, keys: ['←', '→', '↑', '↓'] },
      { label: texts.moveFine, keys: ['Shift+←', 'Shift+→'] },
      { label: texts.keep, keys: ['Enter'] },
      { label: texts.undo, keys: ['Esc'] },
    ],
  },
]

/** Lists all active shortcuts of the console and of mounted components. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  // Read on opening, before the dialog itself takes the focus.
  const [here] = useState(hotkeysOfApps)
  const [actions] = useState(shortcutsOfActions)
  const shown = [
    ...groups,
    { title: texts.here, shortcuts: here },
    { title: texts.actions, shortcuts: actions },
  ].filter(({ shortcuts }) => shortcuts.length > 0)
  return (
    <Dialog
      open
      size="lg"
      title={texts.title}
      onClose={onClose}
      footer={
        <Button onClick={onClose} autoFocus>
          {texts.close}
        </Button>
      }
    >
      <div className={styles.groups}>
        {shown.map(({ title, shortcuts }) => (
          <section key={title} className={styles.group}>
            <h3 className={styles.title}>{title}</h3>
            <dl className={styles.list}>
              {shortcuts.map(({ label, keys }) => (
                <div key={label} className={styles.row}>
                  <dt>{label}</dt>
                  <dd className={styles.keys}>
                    {keys.map((each) => (
                      <Kbd key={each} keys={each} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

const toShortcut = ({ keys, label }: LabelledHotkey): Shortcut => ({ label, keys: [shortcutOf(keys)] })

/** Shortcuts of actions are listed separately. */
function hotkeysOfApps(): readonly Shortcut[] {
  const actions = new Set(offeredActions.get().map(({ label }) => label))
  return labelledHotkeys()
    .filter(({ label }) => !actions.has(label))
    .map(toShortcut)
}

const shortcutsOfActions = (): readonly Shortcut[] =>
  [...offeredActions.get(), ...ownActions().map(({ action }) => action)].flatMap(({ label, shortcut }) =>
    shortcut === undefined ? [] : [toShortcut({ keys: shortcut, label })],
  )
