import { Card, PageHeader } from '@pult/ui'
import { useState } from 'react'
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

/** What is chosen is kept in the account; the page is loaded anew for it, unless somebody wants to save first. */
export function LanguagePage() {
  usePageTitle(texts.title)
  const [chosen, setChosen] = useState(locale)
  const choose = async (language: Locale) => {
    setChosen(language)
    if (await changeSettings({ language })) speakFromNowOn(language)
    else setChosen(locale)
  }
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <Card>
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
