import { BrandMark, Button, ButtonLink, formatBytes, Progress } from '@pult/ui'
import Activity from 'lucide-react/icons/activity'
import Bell from 'lucide-react/icons/bell'
import Check from 'lucide-react/icons/check'
import DatabaseBackup from 'lucide-react/icons/database-backup'
import Images from 'lucide-react/icons/images'
import Languages from 'lucide-react/icons/languages'
import Power from 'lucide-react/icons/power'
import Server from 'lucide-react/icons/server'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ReactNode, useEffect, useState } from 'react'
import { build } from '#platform/build.ts'
import { type Locale, languageNames, locale } from '#platform/locale.ts'
import { productName, usePageTitle } from '#platform/page-title.ts'
import { passkeyObstacle } from '#platform/passkey-obstacle.ts'
import { openDocument, storage } from '#platform/storage.ts'
import { LinkLoading } from '../LinkLoading.tsx'
import { RestoreForm } from './RestoreForm.tsx'
import styles from './Setup.module.css'
import { SetupForm } from './SetupForm.tsx'
import { SetupLink } from './SetupLink.tsx'
import { type SetupWords, setupWords } from './setup-words.ts'
import { type MachineChecks, useSetup } from './use-setup.ts'

interface SetUpLink {
  token: string
  email: string
  /** Called when the visitor wants to sign in to an existing account instead. */
  onHasAccount: () => void
}

interface SetupProps {
  /** The set-up link of the address, or a link that is no longer valid. */
  link: SetUpLink | 'over' | null
  /** The content of the URL once the installation is set up. */
  otherwise?: ReactNode
}

/** The page of an installation without a root. It navigates away once a root exists. */
export function Setup({ link, otherwise }: SetupProps) {
  const state = useSetup()
  const [isCreating, setCreating] = useState(false)
  const [view, setView] = useState<'account' | 'restore' | 'restoring'>('account')
  const [failedBefore, setFailedBefore] = useState<string | null>(null)
  const isLeaving = state === 'over' && link === null
  useEffect(() => {
    if (!isLeaving) return
    // In place of this page, so that the way back does not lead here. The page for pasted links has no input to lose.
    history.replaceState(null, '', '/')
    openDocument()
  }, [isLeaving])

  if (state === 'loading' || isLeaving) return <LinkLoading />
  if (state === 'set-up' && otherwise !== undefined) return otherwise
  const checks = typeof state === 'object' ? state : null
  const failedAt = checks?.restoreFailedAt ?? null
  // A failure that was known before this attempt belongs to an earlier one.
  const isRestoring = view === 'restoring' && (failedAt === null || failedAt === failedBefore)
  return (
    <SetupFrame checks={checks}>
      {(words, language) =>
        view !== 'account' && checks === null && state === 'over' ? (
          <Over title={words.restored} text={words.restoredText} words={words} />
        ) : isRestoring ? (
          <Restoring words={words} />
        ) : view !== 'account' && link !== null && link !== 'over' ? (
          <RestoreForm
            token={link.token}
            words={words}
            language={language}
            onRestoring={() => {
              setFailedBefore(failedAt)
              setView('restoring')
            }}
            onBack={() => setView('account')}
          />
        ) : checks === null && !isCreating ? (
          <Over title={words.overTitle} text={words.overText} words={words} />
        ) : link === null || link === 'over' ? (
          <SetupLink words={words} isOver={link === 'over'} />
        ) : (
          <>
            <SetupForm {...link} words={words} language={language} onCreating={setCreating} />
            {checks !== null && !isCreating && (
              <p className={styles.restore}>
                <Button
                  variant="ghost"
                  icon={<DatabaseBackup aria-hidden="true" />}
                  onClick={() => setView('restore')}
                >
                  {words.restore}
                </Button>
              </p>
            )}
          </>
        )
      }
    </SetupFrame>
  )
}

interface SetupFrameProps {
  checks: MachineChecks | null
  children: (words: SetupWords, language: Locale) => ReactNode
}

function SetupFrame({ checks, children }: SetupFrameProps) {
  const [language, setLanguage] = useState<Locale>(locale)
  const words = setupWords[language]
  usePageTitle(words.title)

  const changeLanguage = (chosen: Locale) => {
    storage.locale.write(chosen)
    document.documentElement.lang = chosen
    document.body.lang = chosen === 'de' ? 'en' : chosen
    setLanguage(chosen)
  }
  return (
    <div className={styles.page}>
      <header className={styles.aside}>
        <div className={styles.brand}>
          <BrandMark size={30} />
          {productName}
        </div>
        <h1>{words.claim}</h1>
        <p>{words.claimText}</p>
        {checks && <Checks checks={checks} words={words} language={language} />}
        <Keys />
      </header>
      <main className={styles.sheet}>
        <label className={styles.language}>
          <Languages aria-hidden="true" />
          <select
            aria-label={words.page}
            value={language}
            onChange={({ target }) => changeLanguage(target.value as Locale)}
          >
            {Object.entries(languageNames).map(([value, name]) => (
              <option key={value} value={value} lang={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <div className={styles.main}>{children(words, language)}</div>
        <p className={styles.footer}>{words.version(build.version)}</p>
      </main>
    </div>
  )
}

/** Icons by key. The deck has more keys than the widest page shows in three rows. */
const signs = new Map([
  [2, Server],
  [5, Bell],
  [9, Activity],
  [12, Images],
  [19, Power],
])
const keys = Array.from({ length: 24 }, (_, key) => ({ key, Sign: signs.get(key) }))

/** A decorative deck. */
function Keys() {
  return (
    <div className={styles.keys} aria-hidden="true">
      {keys.map(({ key, Sign }) => (
        <span key={key}>{Sign && <Sign />}</span>
      ))}
    </div>
  )
}

/** Bytes below which the data folder is nearly full. */
const fewBytes = 2e9

interface ChecksProps {
  checks: MachineChecks
  words: SetupWords
  language: Locale
}

function Checks({ checks: { database, folder }, words, language }: ChecksProps) {
  const free = folder.free === null ? null : formatBytes(folder.free, language)
  const isNearlyFull = folder.free !== null && folder.free < fewBytes
  const isEncrypted = location.protocol === 'https:'
  const lines = [
    { isWell: true, text: words.database(database) },
    !folder.isWritable
      ? { isWell: false, text: words.folderReadOnly }
      : isNearlyFull && free !== null
        ? { isWell: false, text: words.folderFull(free) }
        : { isWell: true, text: words.folder(free) },
    passkeyObstacle() === 'no-host-name'
      ? { isWell: false, text: words.hostNameMissing }
      : {
          isWell: isEncrypted,
          text: isEncrypted ? words.https : isSecureContext ? words.httpsHere : words.httpsMissing,
        },
  ]
  return (
    <ul className={styles.checks} aria-label={words.checks}>
      {lines.map(({ isWell, text }) => (
        <li key={text} data-warning={!isWell || undefined}>
          {isWell ? <Check aria-hidden="true" /> : <TriangleAlert aria-hidden="true" />}
          {text}
        </li>
      ))}
    </ul>
  )
}

function Restoring({ words }: { words: SetupWords }) {
  return (
    <div role="status" className={styles.over}>
      <h2>{words.restoring}</h2>
      <p>{words.restoringText}</p>
      <Progress label={words.restoring} value={null} />
    </div>
  )
}

/** Another user created the first account while this page was open, or a backup has been restored. */
function Over({ title, text, words }: { title: string; text: string; words: SetupWords }) {
  return (
    <div role="alert" className={styles.over}>
      <h2>{title}</h2>
      <p>{text}</p>
      <ButtonLink href="/" variant="primary">
        {words.toLogin}
      </ButtonLink>
    </div>
  )
}
