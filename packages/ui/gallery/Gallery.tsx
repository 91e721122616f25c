import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useEffect, useState } from 'react'
import { createToaster, IconButton, ToastRegion, UiProvider, Wordmark } from '../src/index.ts'
import styles from './Gallery.module.css'
import { ActionsSection } from './sections/ActionsSection.tsx'
import { CardsSection } from './sections/CardsSection.tsx'
import { ChoicesSection } from './sections/ChoicesSection.tsx'
import { DataSection } from './sections/DataSection.tsx'
import { DeskSection } from './sections/DeskSection.tsx'
import { FeedbackSection } from './sections/FeedbackSection.tsx'
import { FieldsSection } from './sections/FieldsSection.tsx'
import { FoundationsSection } from './sections/FoundationsSection.tsx'
import { LayoutSection } from './sections/LayoutSection.tsx'
import { LoginSection } from './sections/LoginSection.tsx'
import { OverlaysSection } from './sections/OverlaysSection.tsx'
import { ShellSection } from './sections/ShellSection.tsx'
import { TableSection } from './sections/TableSection.tsx'

const toaster = createToaster({ durationMs: 5000 })

// `?theme=dark` sets the theme, so that a script can check both.
const systemTheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
const firstTheme = new URLSearchParams(location.search).get('theme') ?? systemTheme

export function Gallery() {
  const [theme, setTheme] = useState(firstTheme)
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])

  return (
    <UiProvider navigate={(href) => history.pushState(null, '', href)} locale="en">
      <div className={styles.gallery}>
        <header className={styles.top}>
          <Wordmark />
          <IconButton
            label={theme === 'dark' ? 'Light theme' : 'Dark theme'}
            icon={theme === 'dark' ? <Sun /> : <Moon />}
            onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
          />
        </header>
        <main className={styles.main}>
          <h1>Components</h1>
          <DeskSection />
          <CardsSection />
          <DataSection />
          <ChoicesSection />
          <LoginSection />
          <ShellSection />
          <ActionsSection />
          <FieldsSection />
          <FeedbackSection />
          <LayoutSection />
          <TableSection />
          <OverlaysSection toaster={toaster} />
          <FoundationsSection />
        </main>
      </div>
      <ToastRegion toaster={toaster} label="Notifications" closeLabel="Close" />
    </UiProvider>
  )
}
