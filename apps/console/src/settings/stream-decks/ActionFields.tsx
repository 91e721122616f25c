import type { DeckAction, Fragment } from '@pult/contract'
import { EdgeInstanceSelect } from '@pult/sdk/ui'
import { SelectField } from '@pult/ui'
import { useState } from 'react'
import { useSearchedList } from '#platform/searched-list/searched-list.ts'
import { useFragments } from '../../extensions/extensions.queries.ts'
import { edgeChoices, projectChoices } from './choices.ts'
import { RecordSelect } from './RecordSelect.tsx'
import { texts } from './stream-decks.texts.ts'
import { TypedField } from './TypedField.tsx'

type Kind = keyof typeof texts.actions

const kinds: readonly Kind[] = ['none', 'app', 'start', 'abort', 'show', 'edge', 'instance', 'url']

interface ActionFieldsProps {
  action: DeckAction | null
  /** Called with the complete action and its default label; null while it is incomplete. */
  onAction: (action: DeckAction | null, label: string) => void
}

/** The fields for a key's action and its target. */
export function ActionFields({ action, onAction }: ActionFieldsProps) {
  const [kind, setKind] = useState<Kind>(kindOf(action))
  const [project, setProject] = useState<string | null>(
    action !== null && 'project' in action ? action.project : null,
  )
  const { items, error } = useSearchedList(projectChoices, '')
  const first = items?.[0]?._id ?? null
  const chosen = project ?? (kind === 'app' ? null : first)

  const choose = (next: Kind) => {
    setKind(next)
    if (next === 'none') onAction(null, '')
    else if (next === 'start' || next === 'abort' || next === 'show') chooseTask(next, chosen ?? first)
  }
  const chooseTask = (verb: 'start' | 'abort' | 'show', of: string | null) => {
    const [task = '', label = ''] = Object.entries(texts.taskKinds)[0] ?? []
    if (of !== null) onAction({ type: 'task', verb, task, project: of }, label)
  }
  const chooseProject = (next: string | null) => {
    setProject(next)
    if (kind === 'start' || kind === 'abort' || kind === 'show') chooseTask(kind, next)
  }

  return (
    <>
      <SelectField
        label={texts.action}
        value={kind}
        // A task chosen before its project is known would make no action.
        disabled={items === undefined && error === null}
        onChange={({ target }) => choose(target.value as Kind)}
      >
        {kinds.map((each) => (
          <option key={each} value={each}>
            {texts.actions[each]}
          </option>
        ))}
      </SelectField>
      {kind !== 'none' && kind !== 'url' && (
        <RecordSelect
          label={texts.project}
          searchLabel={texts.findProject}
          choices={projectChoices}
          value={chosen ?? ''}
          // Root apps belong to no project.
          {...(kind === 'app' && { none: texts.noProject })}
          onChange={(next) => chooseProject(next?._id ?? null)}
        />
      )}
      {kind === 'app' && <AppField project={chosen} action={action} onAction={onAction} />}
      {kind === 'edge' && chosen !== null && (
        <EdgeField project={chosen} action={action} onAction={onAction} />
      )}
      {kind === 'instance' && chosen !== null && (
        <EdgeInstanceSelect
          label={texts.instance}
          project={chosen}
          required
          value={action?.type === 'instance' && action.project === chosen ? action : null}
          onChange={(selection) =>
            selection && onAction({ type: 'instance', ...selection, project: chosen }, '')
          }
        />
      )}
      {kind === 'url' && (
        <TypedField
          label={texts.url}
          placeholder={texts.urlPlaceholder}
          maxLength={500}
          value={action?.type === 'url' ? action.url : ''}
          errorOf={(url) => (/^\/(?![/\\])[^\s\\\p{Cc}]*$/u.test(url) ? undefined : texts.urlWrong)}
          onType={(url) => onAction({ type: 'url', url }, '')}
        />
      )}
    </>
  )
}

function kindOf(action: DeckAction | null): Kind {
  if (action === null) return 'none'
  return action.type === 'task' ? action.verb : action.type
}

interface AppFieldProps extends ActionFieldsProps {
  project: string | null
}

function AppField({ project, action, onAction }: AppFieldProps) {
  const { data: fragments } = useFragments(project)
  const apps = (fragments ?? []).flatMap((fragment: Fragment) => fragment.apps)
  const value = action?.type === 'app' && action.project === project ? action.app : ''
  const choose = (id: string) => {
    const label = apps.find((app) => app.id === id)?.label ?? ''
    if (id !== '') onAction({ type: 'app', app: id, project }, label)
  }
  return (
    <SelectField label={texts.app} value={value} onChange={({ target }) => choose(target.value)}>
      <option value="" disabled>
        {apps.length === 0 ? texts.noApps : ''}
      </option>
      {value !== '' && apps.every(({ id }) => id !== value) && (
        <option value={value}>{fragments === undefined ? texts.loading : texts.gone}</option>
      )}
      {apps.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

function EdgeField({ project, action, onAction }: ActionFieldsProps & { project: string }) {
  return (
    <RecordSelect
      // Another project has another search.
      key={project}
      label={texts.edge}
      searchLabel={texts.findEdge}
      choices={edgeChoices(project)}
      value={action?.type === 'edge' && action.project === project ? action.edge : ''}
      emptyText={texts.noEdges}
      onChange={(edge) => edge && onAction({ type: 'edge', edge: edge._id, project }, edge.label)}
    />
  )
}
