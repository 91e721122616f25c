import { useCall } from '@pult/sdk'
import { type Project, projectEndpoints } from '@pult/sdk/api'
import { useSettled } from '@pult/sdk/resource'
import { Alert, TextField } from '@pult/sdk/ui'
import { keepPreviousData } from '@tanstack/react-query'
import { useId, useState } from 'react'
import styles from './accounts.module.css'
import { texts } from './accounts.texts.ts'

/** Debounce delay of the search in milliseconds. */
const typingPause = 250

/** Maximum number of shown matches. A longer search text finds the others. */
const matchesShown = 20

interface ProjectChoiceProps {
  chosen: Project | null
  error: string | undefined
  onChoose: (project: Project) => void
}

/** Chooses one project among the first matches of a search, because an installation can have many projects. */
export function ProjectChoice({ chosen, error, onChoose }: ProjectChoiceProps) {
  const [typed, setTyped] = useState('')
  const query = { limit: String(matchesShown), search: useSettled(typed.trim(), typingPause) }
  const { data, error: failure } = useCall(
    projectEndpoints.list,
    { query },
    { placeholderData: keepPreviousData },
  )
  const matches = data?.items
  const name = useId()
  const isShown = chosen !== null && matches?.some(({ _id }) => _id === chosen._id) === false
  const offered = isShown ? [chosen, ...(matches ?? [])] : matches
  return (
    <>
      <TextField
        label={texts.findProject}
        type="search"
        autoComplete="off"
        maxLength={200}
        description={texts.findProjectHint}
        error={error}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        // Enter would submit the form, but this field only searches.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {failure !== null && (
        <Alert tone="danger" title={texts.projectsFailed}>
          {failure.message}
        </Alert>
      )}
      <div className={styles.matches} role="radiogroup" aria-label={texts.matchingProjects}>
        {offered?.map((project) => (
          <label key={project._id} className={styles.match}>
            <input
              type="radio"
              name={name}
              checked={project._id === chosen?._id}
              onChange={() => onChoose(project)}
            />
            <span className={styles.matchTexts}>
              {project.label}
              {project.orgLabel !== null && <span className={styles.quiet}>{project.orgLabel}</span>}
            </span>
          </label>
        ))}
        {offered?.length === 0 && <p className={styles.quiet}>{texts.noProject}</p>}
      </div>
      {data?.next !== undefined && <p className={styles.quiet}>{texts.moreProjects(data.items.length)}</p>}
    </>
  )
}
