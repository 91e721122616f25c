import { Button, TextField } from '@pult/ui'
import LinkIcon from 'lucide-react/icons/link'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { openDocument } from '#platform/storage.ts'
import { pathOfPasted } from '../link-path.ts'
import styles from './Setup.module.css'
import type { SetupWords } from './setup-words.ts'

type LinkProblem = 'linkMissing' | 'linkWrong' | 'linkOver'

/** Explains where to find the set-up link, and accepts a pasted one. */
export function SetupLink({ words, isOver }: { words: SetupWords; isOver: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<LinkProblem | null>(isOver ? 'linkOver' : null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])

  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const pasted = field.current?.value.trim() ?? ''
    const path = pathOfPasted(pasted, location.origin)
    if (path !== null) openDocument(path)
    else {
      setProblem(pasted === '' ? 'linkMissing' : 'linkWrong')
      field.current?.focus()
    }
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.head}>
        <h2>{words.linkTitle}</h2>
        <p>{words.linkText}</p>
      </div>
      <TextField
        ref={field}
        label={words.link}
        prefix={<LinkIcon aria-hidden="true" />}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        error={problem && words[problem]}
        onChange={() => setProblem(null)}
      />
      <div className={styles.actions}>
        <Button type="submit" variant="primary">
          {words.open}
        </Button>
      </div>
    </form>
  )
}
