import { isCancelled, useChange, useNotify, useProject, useRole } from '@pult/sdk'
import { type EdgeUpdates, edgeUpdateEndpoints, numberIn } from '@pult/sdk/api'
import { conflictOf, EditConflict, type Problems, useFormFields, Waiting } from '@pult/sdk/resource'
import { Alert, Button, Dialog, DialogActions, SelectField, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import styles from './edges.module.css'
import { edgeData, readEvery, useEdgeUpdates } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

const modes = ['rings', 'now', 'window', 'manual'] as const
type Mode = (typeof modes)[number]
const countNames = ['running', 'failed', 'away', 'unable', 'waiting'] as const

/** The versions of the project's agents, and the policy of their updates. */
export function UpdatesDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useEdgeUpdates({ every: readEvery })
  const mayManage = useRole('edges:manage')
  const [isUnsaved, setUnsaved] = useState(false)
  return (
    <Dialog open title={texts.updates} unsaved={isUnsaved} onClose={onClose}>
      {data === undefined ? (
        <Waiting failed={texts.updatesFailed} error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <Versions updates={data} />
          {mayManage ? (
            <PolicyForm updates={data} onUnsaved={setUnsaved} onClose={onClose} />
          ) : (
            <>
              <p>{texts.updateModes[data.policy.mode].text}</p>
              <DialogActions>
                <Button onClick={onClose}>{texts.close}</Button>
              </DialogActions>
            </>
          )}
        </>
      )}
    </Dialog>
  )
}

function Versions({ updates: { version, versions, counts, isHeld } }: { updates: EdgeUpdates }) {
  const left = countNames.filter((name) => counts[name] > 0)
  return (
    <>
      <p className={styles.quiet}>{texts.servedVersion(version)}</p>
      <ul className={styles.versions} aria-label={texts.versions}>
        {versions.map((each) => (
          <li key={each.version}>
            <b>{each.isCurrent ? texts.currentVersion(each.version) : each.version}</b>
            <span>{texts.count(each.count, false)}</span>
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <p className={styles.quiet}>
          {left.map((name) => texts.updateCounts[name](counts[name])).join(' · ')}
        </p>
      )}
      {isHeld && (
        <Alert tone="warning" title={texts.updatesHeld}>
          {texts.updatesHeldText}
        </Alert>
      )}
    </>
  )
}

/** The fields of the form as text. */
interface PolicyFields extends Record<string, string> {
  mode: Mode
  rings: string
  pause: string
  from: string
  to: string
  timeZone: string
}

const fieldsOf = ({ mode, rings, pause, window }: EdgeUpdates['policy']): PolicyFields => ({
  mode,
  rings: rings.join(', '),
  pause: String(pause),
  ...window,
})

/** Returns the policy to save. Hidden fields keep their saved values, so that no hidden error prevents saving. */
function policyOf(
  { mode, rings, pause, from, to, timeZone }: PolicyFields,
  saved: EdgeUpdates['policy'],
): EdgeUpdates['policy'] {
  const numbersIn = (text: string) => (text.match(/\p{Nd}+/gu) ?? []).map(numberIn)
  const steps = { rings: numbersIn(rings), pause: numbersIn(pause)[0] ?? Number.NaN }
  return {
    ...saved,
    mode,
    ...(mode === 'rings' && steps),
    ...(mode === 'window' && { window: { from, to, timeZone: timeZone.trim() } }),
  }
}

function problemsIn(policy: EdgeUpdates['policy']): Problems<PolicyFields> {
  const { error } = edgeUpdateEndpoints.update.body.safeParse(policy)
  const names = error?.issues.map(({ path }) => path.findLast((part) => typeof part === 'string')) ?? []
  return Object.fromEntries(
    names.flatMap((name) => (isNamed(name) ? [[name, texts.policyProblems[name]]] : [])),
  )
}

const isNamed = (name: string | undefined): name is keyof typeof texts.policyProblems =>
  name !== undefined && name in texts.policyProblems

/** Returns the parts of the policy that the mode uses, as one line. */
const described = ({ mode, rings, pause, window: { from, to, timeZone } }: EdgeUpdates['policy']) =>
  [
    texts.updateModes[mode].label,
    ...(mode === 'rings' ? [`${rings.join(', ')} %`, texts.minutes(pause)] : []),
    ...(mode === 'window' ? [`${from}–${to} ${timeZone}`] : []),
  ].join(' · ')

interface PolicyFormProps {
  updates: EdgeUpdates
  onUnsaved: (isUnsaved: boolean) => void
  onClose: () => void
}

function PolicyForm({ updates: { policy, revision, updatedBy }, onUnsaved, onClose }: PolicyFormProps) {
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const element = useRef<HTMLFormElement>(null)
  const [conflict, setConflict] = useState<EdgeUpdates | null>(null)
  const fields = useFormFields<PolicyFields>({
    name: null,
    saved: { values: fieldsOf(policy), revision },
    savedBy: updatedBy,
    problemsOf: (typed) => problemsIn(policyOf(typed, policy)),
    element,
  })
  const { form, shown, hasChanges, isFit } = fields
  useEffect(() => onUnsaved(hasChanges), [onUnsaved, hasChanges])
  const mode = form.field('mode')
  const { mutateAsync, isPending, error } = useChange(
    edgeUpdateEndpoints.update,
    (from: number) => ({ params: { projectId }, body: policyOf(shown, policy), revision: from }),
    { touches: edgeData },
  )
  const save = async (from: number) => {
    try {
      await mutateAsync(from)
      notify({ title: texts.saved, tone: 'success' })
      onClose()
    } catch (failure) {
      // Other errors are shown below the form.
      setConflict(conflictOf(failure, edgeUpdateEndpoints.update))
    }
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isPending || !isFit()) return
    await save(fields.revision ?? revision)
  }
  const takeTheirs = () => {
    // Their version is shown already: a failed change reads the policy again.
    fields.discard()
    setConflict(null)
  }
  return (
    <form className={styles.policy} ref={element} onSubmit={(event) => void submit(event)} noValidate>
      <SelectField
        label={texts.updateMode}
        description={texts.updateModes[mode.value].text}
        value={mode.value}
        onChange={({ target }) => mode.set(modes.find((each) => each === target.value) ?? mode.value)}
      >
        {modes.map((each) => (
          <option key={each} value={each}>
            {texts.updateModes[each].label}
          </option>
        ))}
      </SelectField>
      {mode.value === 'rings' && (
        <>
          <TextField
            label={texts.rings}
            maxLength={60}
            inputMode="numeric"
            {...form.text('rings')}
            description={texts.ringsHint}
          />
          <TextField label={texts.ringPause} inputMode="numeric" maxLength={6} {...form.text('pause')} />
        </>
      )}
      {mode.value === 'window' && (
        <>
          <div className={styles.window}>
            <TextField label={texts.windowFrom} type="time" {...form.text('from')} />
            <TextField label={texts.windowTo} type="time" {...form.text('to')} />
          </div>
          <TextField
            label={texts.timeZone}
            maxLength={64}
            {...form.text('timeZone')}
            description={texts.timeZoneHint}
          />
        </>
      )}
      {error !== null && conflict === null && !isCancelled(error) && (
        <Alert tone="danger" title={texts.saveFailed}>
          {error.message}
        </Alert>
      )}
      <EditConflict
        current={
          conflict && {
            updatedBy: conflict.updatedBy,
            ...(conflict.updatedAt !== null && { updatedAt: conflict.updatedAt }),
          }
        }
        versions={
          conflict === null
            ? []
            : [
                {
                  label: texts.updateMode,
                  theirs: described(conflict.policy),
                  mine: described(policyOf(shown, policy)),
                },
              ]
        }
        pending={isPending}
        onTakeTheirs={takeTheirs}
        onKeepMine={() => conflict && void save(conflict.revision)}
        onClose={() => setConflict(null)}
      />
      <DialogActions>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" pending={isPending} pendingLabel={texts.saving}>
          {texts.save}
        </Button>
      </DialogActions>
    </form>
  )
}
