import { Card, PageHeader } from '@pult/ui'
import { useEffect, useRef, useState } from 'react'
import { type Locale, languageNames, locale } from '#platform/locale.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { Choice } from '../Choice.tsx'
import { changeSettings } from '../settings.queries.ts'
import { speakFromNowOn } from './account-language.ts'
import { texts } from './language.texts.ts'

const languages = (Object.keys(languageNames) as Locale[]).map((value) => ({
  value,
  label: languageNames[value],
  description: texts.descriptions[value],
}))

/** In this entry of the browser's history: the page is loaded anew for the choice that had the focus. */
const markChoice = (isChoosing: boolean) => history.replaceState({ ...history.state, isChoosing }, '')
const wasChoosing = () => (history.state as { isChoosing?: boolean } | null)?.isChoosing === true

/** What is chosen is kept in the account; the page is loaded anew for it, unless somebody wants to save first. */
export function LanguagePage() {
  usePageTitle(texts.title)
  const [chosen, setChosen] = useState(locale)
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (wasChoosing()) card.current?.querySelector<HTMLElement>(':checked')?.focus()
    markChoice(false)
  }, [])
  const choose = async (language: Locale) => {
    setChosen(language)
    // Before the account has it: this browser may hear of it from there first.
    markChoice(language !== locale)
    if (await changeSettings({ language })) speakFromNowOn(language)
    else {
      setChosen(locale)
      markChoice(false)
    }
  }
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
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
