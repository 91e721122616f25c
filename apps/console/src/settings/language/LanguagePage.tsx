import { Card, PageHead } from '@pult/ui'
import { useEffect, useRef, useState } from 'react'
import { type Locale, languageNames, locale } from '#platform/locale.ts'
import { Choice } from '../Choice.tsx'
import { changeSettings } from '../settings.queries.ts'
import { applyLanguage } from './account-language.ts'
import { texts } from './language.texts.ts'

const languages = (Object.keys(languageNames) as Locale[]).map((value) => ({
  value,
  label: languageNames[value],
  description: texts.descriptions[value],
}))

/** Stored in the history entry, so that the choice keeps its focus when the page reloads. */
const markChoice = (isChoosing: boolean) => history.replaceState({ ...history.state, isChoosing }, '')
const wasChoosing = () => (history.state as { isChoosing?: boolean } | null)?.isChoosing === true

/** Stores the choice in the account. The page then reloads, unless the user wants to save input first. */
export function LanguagePage() {
  const [chosen, setChosen] = useState(locale)
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    let frame = 0
    function focusChoice() {
      const choice = card.current?.querySelector<HTMLElement>(':checked')
      choice?.focus()
      if (document.activeElement === choice) markChoice(false)
      // The boot screen still hides the page, and a hidden element cannot take the focus.
      else frame = requestAnimationFrame(focusChoice)
    }
    if (wasChoosing()) focusChoice()
    return () => cancelAnimationFrame(frame)
  }, [])
  const choose = async (language: Locale) => {
    setChosen(language)
    // Marked before the call, because the account's change may reload this page before the call returns.
    markChoice(language !== locale)
    if (await changeSettings({ language })) applyLanguage(language)
    else {
      setChosen(locale)
      markChoice(false)
    }
  }
  return (
    <>
      <PageHead title={texts.title} text={texts.description} />
      <Card ref={card}>
        <Choice
          label={texts.title}
          hideLabel
          name="language-choice"
          value={chosen}
          options={languages}
          onChange={(language) => void choose(language)}
        />
      </Card>
    </>
  )
}
