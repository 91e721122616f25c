import type { OfferedAction } from '@pult/sdk/host'
import Keyboard from 'lucide-react/icons/keyboard'
import LogOut from 'lucide-react/icons/log-out'
import PanelTopClose from 'lucide-react/icons/panel-top-close'
import { defaultsOf } from '#platform/locale.ts'
import { overlay } from '#platform/overlay.ts'
import { theme } from '#platform/theme.ts'
import { appActions, ownActions, runAction, runAppAction, wordsOfAction } from '../extensions/actions.ts'
import { appIcon } from '../extensions/app-icons.ts'
import { logOut } from '../shell/log-out.ts'
import { themeNames, themes } from '../shell/themes.tsx'
import { changeWindow, windows } from '../windows/windows.ts'
import type { Entry } from './entries.ts'
import { searchable } from './fuzzy.ts'
import { inBoth } from './in-both.ts'
import { createEntries } from './page-entries.tsx'
import { texts } from './palette.texts.ts'
import { shortcutOf } from './shortcut-of.ts'

/** The global actions of the console and of extensions. */
export function actionEntries(offered: readonly OfferedAction[], hasWindows: boolean): Entry[] {
  return [
    ...appActions()
      .filter(({ action }) => action.on === undefined)
      .map(({ app, action }) =>
        entryOf(
          {
            ...action,
            id: `job ${app.manifest.id} ${action.id}`,
            icon: action.icon ?? app.manifest.icon,
            keywords: wordsOfAction(action),
            detail: app.manifest.label,
          },
          () => void runAppAction({ app, action }, null),
        ),
      ),
    ...offered.map((action) =>
      entryOf({ ...action, id: `offered ${action.id}`, detail: action.group }, () => void action.run()),
    ),
    ...ownActions().map((own) =>
      entryOf(
        { ...own.action, id: `action ${own.id}`, detail: own.fragment.label },
        () => void runAction(own),
      ),
    ),
    ...createEntries,
    ...(hasWindows ? [consoleAction('minimiseAll', <PanelTopClose aria-hidden="true" />, minimiseAll)] : []),
    ...themeNames.map((name): Entry => {
      const label = texts.appearance(texts[name])
      return {
        id: `theme ${name}`,
        group: 'actions',
        label,
        icon: themes[name],
        search: searchable(label, [
          inBoth(texts.words, 'appearance'),
          defaultsOf(texts).appearance(defaultsOf(texts)[name]),
        ]),
        run: () => theme.choose(name),
      }
    }),
    {
      ...consoleAction('shortcuts', <Keyboard aria-hidden="true" />, () => overlay.set('shortcuts')),
      shortcut: '?',
    },
    consoleAction('logout', <LogOut aria-hidden="true" />, () => void logOut()),
  ]
}

interface ForeignAction {
  id: string
  label: string
  detail: string
  icon?: string
  keywords?: readonly string[] | undefined
  shortcut?: string
}

function entryOf(
  { id, label, detail, icon, keywords = [], shortcut }: ForeignAction,
  run: () => void,
): Entry {
  // One keyword of creation stands for all, in the user's language: "new note" finds "Write a note".
  const isCreation = keywords.some((word) => /^(?:add|create|new)$/.test(word))
  return {
    id,
    group: 'actions',
    label,
    detail,
    icon: appIcon(icon ?? 'zap'),
    run,
    isCreation,
    search: searchable(label, [...keywords, isCreation ? inBoth(texts.words, 'create') : '', detail]),
    ...(shortcut !== undefined && { shortcut: shortcutOf(shortcut) }),
  }
}

type ConsoleAction = 'minimiseAll' | 'shortcuts' | 'logout'

const consoleAction = (name: ConsoleAction, icon: Entry['icon'], run: () => void): Entry => ({
  id: `console ${name}`,
  group: 'actions',
  label: texts[name],
  icon,
  run,
  search: searchable(texts[name], [inBoth(texts, name), inBoth(texts.words, name)]),
})

function minimiseAll(): void {
  for (const { appId } of windows.get()) changeWindow(appId, { isMinimised: true })
}
