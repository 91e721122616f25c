import { type EdgeWithInstances, edgeInstanceEndpoints } from '@pult/contract'
import { SelectField } from '@pult/ui'
import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../api-error.ts'
import { callOf } from '../call.ts'
import { useApi, useProject } from '../hooks.ts'
import { useTexts } from '../texts.ts'
import { useLiveQueries } from '../use-live-queries.ts'

const catalogues = {
  de: {
    label: 'Edge instance',
    none: 'None',
    nothingThere: 'No edge instance is assigned to this project.',
    loading: 'Loading …',
    offline: (label: string) => `${label} (offline)`,
    gone: 'No longer assigned to this project',
  },
  en: {
    label: 'Edge instance',
    none: 'None',
    nothingThere: 'No edge instance is assigned to this project.',
    loading: 'Loading …',
    offline: (label: string) => `${label} (offline)`,
    gone: 'No longer assigned to this project',
  },
  'de-DE': {
    label: 'Edge-Instanz',
    none: 'Keine',
    nothingThere: 'Diesem Projekt ist keine Edge-Instanz zugewiesen.',
    loading: 'Wird geladen …',
    offline: (label: string) => `${label} (offline)`,
    gone: 'Diesem Projekt nicht mehr zugewiesen',
  },
}

/** An edge, and which of its instances: what an {@link EdgeInstanceSelect} yields. */
export interface EdgeSelection {
  /** The instance's `_id`. */
  edge: string
  /** The `_id` of the edge that it is on. */
  edgeId: string
}

export interface EdgeInstanceSelectProps {
  /** Null when nothing is chosen. */
  value: EdgeSelection | null
  onChange: (value: EdgeSelection | null) => void
  /** @default "Edge instance" */
  label?: string
  description?: string
  error?: string | undefined
  disabled?: boolean
  /** Something has to be chosen: once it is, it can be changed and not emptied. */
  required?: boolean
}

/** How often it is read again whether edges are there: more is told to those alone who may see the edges themselves. */
const readEvery = 10_000

/**
 * Chooses one of the edge instances that are assigned to the active project, by the edges they are on.
 *
 * @example <EdgeInstanceSelect value={cue.target} onChange={(target) => change({ target })} />
 */
export function EdgeInstanceSelect(props: EdgeInstanceSelectProps) {
  const { value, onChange, description, error, disabled, required = false } = props
  const texts = useTexts(catalogues)
  const call = useApi()
  const { _id: projectId } = useProject()
  const queryKey = ['edge-instances', projectId]
  useLiveQueries(`/projects/${projectId}/edges`, queryKey)
  const { data, error: failure } = useQuery({
    queryKey,
    queryFn: (context) => call(edgeInstanceEndpoints.list, { params: { projectId }, ...callOf(context) }),
    refetchInterval: readEvery,
  })
  const edges = data?.items
  const isThere = edges?.some(({ instances }) => instances.some(({ _id }) => _id === value?.edge)) === true
  return (
    <SelectField
      label={props.label ?? texts.label}
      description={edges?.length === 0 ? texts.nothingThere : description}
      error={failure !== null && edges === undefined ? messageOf(failure) : error}
      disabled={disabled}
      required={required}
      value={value?.edge ?? ''}
      onChange={({ target }) => onChange(selectionOf(edges ?? [], target.value))}
    >
      {(!required || value === null) && <option value="">{edges ? texts.none : texts.loading}</option>}
      {value !== null && !isThere && <option value={value.edge}>{edges ? texts.gone : texts.loading}</option>}
      {edges?.map(({ _id, label, state, instances }) => (
        <optgroup key={_id} label={state === 'online' ? label : texts.offline(label)}>
          {instances.map((instance) => (
            <option key={instance._id} value={instance._id}>
              {instance.label}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}

function selectionOf(edges: readonly EdgeWithInstances[], instanceId: string): EdgeSelection | null {
  const edge = edges.find(({ instances }) => instances.some(({ _id }) => _id === instanceId))
  return edge === undefined ? null : { edge: instanceId, edgeId: edge._id }
}
