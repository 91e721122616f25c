import { type EdgeWithInstances, edgeInstanceEndpoints } from '@pult/contract'
import { SelectField } from '@pult/ui'
import { messageOf } from '../api-error.ts'
import { useCall } from '../data/use-call.ts'
import { useLive } from '../data/use-live.ts'
import { type AppHost, useConsoleHost } from '../host.ts'
import { useTexts } from '../texts.ts'

const catalogues = {
  de: {
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

/** The value of an {@link EdgeInstanceSelect}. */
export interface EdgeSelection {
  /** The instance's `_id`. */
  edge: string
  /** The `_id` of the instance's edge. */
  edgeId: string
}

export interface EdgeInstanceSelectProps {
  /** Null without a selection. */
  value: EdgeSelection | null
  onChange: (value: EdgeSelection | null) => void
  /** @default "Edge instance" */
  label?: string
  description?: string
  error?: string | undefined
  disabled?: boolean
  /** The project whose instances are offered. @default the active project */
  project?: string
  /** Set if the selection can be changed but not cleared. */
  required?: boolean
}

/** Refetch interval for presence, in milliseconds: only readers of edges receive its events. */
const readEvery = 10_000

/**
 * Renders a select field with the edge instances that are assigned to the project, grouped by edge.
 *
 * @example <EdgeInstanceSelect value={cue.target} onChange={(target) => change({ target })} />
 */
export function EdgeInstanceSelect(props: EdgeInstanceSelectProps) {
  const { value, onChange, description, error, disabled, required = false } = props
  const texts = useTexts(catalogues)
  const host = useConsoleHost()
  const projectId = props.project ?? ('project' in host ? (host as AppHost).project?._id : undefined) ?? ''
  useLive(`/projects/${projectId}/edges`, { touches: [edgeInstanceEndpoints.list] })
  const { data, error: failure } = useCall(
    edgeInstanceEndpoints.list,
    { params: { projectId } },
    { every: readEvery },
  )
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
