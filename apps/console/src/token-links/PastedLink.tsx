import { Button, TextField } from '@pult/ui'
import { type SubmitEvent, useRef, useState } from 'react'
import { usePageTitle } from '#platform/page-title.ts'
import { StagePanel } from '#platform/stage/StagePanel.tsx'
import { openDocument } from '#platform/storage.ts'
import { pathOfPasted } from './link-path.ts'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'

/** A form for links from mail programs that cannot open them. */
export function PastedLink() {
  usePageTitle(texts.linkTitle)
  const field = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string | null>(null)

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const pasted = field.current?.value.trim() ?? ''
    const path = pathOfPasted(pasted, location.origin)
    if (path !== null) openDocument(path)
    else {
      setError(pasted === '' ? texts.linkMissing : texts.linkWrong)
      field.current?.focus()
    }
  }

  return (
    <StagePanel>
      <form className={styles.form} onSubmit={submit} noValidate>
        <h1>{texts.linkTitle}</h1>
        <p className={styles.lead}>{texts.linkText}</p>
        <TextField
          ref={field}
          label={texts.link}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={error}
          onChange={() => setError(null)}
        />
        <Button type="submit" variant="primary">
          {texts.open}
        </Button>
      </form>
    </StagePanel>
  )
}
