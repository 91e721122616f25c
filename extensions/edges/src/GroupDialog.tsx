import { isCancelled, useApi, useNotify, useProject } from '@pult/sdk'
import { type EdgeGroup, type EdgeRule, edgeGroupEndpoints, type FleetState, limits } from '@pult/sdk/api'
import { conflictOf, EditConflict, type Problems, useFormFields, useRepeatableKey } from '@pult/sdk/resource'
import { Alert, Button, Checkbox, Dialog, DialogActions, TagInput, TextField } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useRef, useState } from 'react'
import styles from './edges.module.css'
import { useReadTagsAgain } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { fleetStates } from './fleet-state.ts'
import { splitTags } from './tags.ts'

interface GroupDialogProps {
  /** The group to change; without it a new group is saved. */
  group?: EdgeGroup
  rule: EdgeRule
  onSaved?: (groupId: string) => void
  onClose: () => void
}

const parts = ['allTags', 'anyTags', 'places', 'versions'] as const

type GroupFields = { label: string; states: readonly FleetState[] } & Record<
  (typeof parts)[number],
  readonly string[]
>

const fieldsOf = (label: string, rule: EdgeRule): GroupFields => ({
  label,
  allTags: rule.allTags ?? [],
  anyTags: rule.anyTags ?? [],
  places: rule.places ?? [],
  versions: rule.versions ?? [],
  states: rule.states ?? [],
})

const groupOf = ({ label, allTags, anyTags, places, versions, states }: GroupFields) => ({
  label: label.trim(),
  rule: {
    allTags: [...allTags],
    anyTags: [...anyTags],
    places: [...places],
    versions: [...versions],
    states: [...states],
  },
})

function problemsIn(fields: GroupFields): Problems<GroupFields> {
  return {
    ...(fields.label.trim() === '' && { label: texts.nameMissing }),
    ...Object.fromEntries(
      parts
        .filter((part) => fields[part].length > most(part))
        .map((part) => [part, texts.tooMany(most(part))]),
    ),
  }
}

const most = (part: (typeof parts)[number]) =>
  part === 'allTags' || part === 'anyTags' ? limits.edgeTagsMax : limits.edgeRuleMax

/** Returns the used parts of a rule as one line. */
const described = ({ label, rule }: Pick<EdgeGroup, 'label' | 'rule'>) =>
  [
    label,
    ...parts.flatMap((part) =>
      rule[part]?.length ? [`${texts.ruleParts[part]}: ${rule[part].join(', ')}`] : [],
    ),
    ...(rule.states?.length ? [rule.states.map((state) => texts.fleetStates[state]).join(', ')] : []),
  ].join(' · ')

/** Saves a group of edges: its name and its rule. */
export function GroupDialog({ group, rule, onSaved, onClose }: GroupDialogProps) {
  const call = useApi()
  const notify = useNotify()
  const readAgain = useReadTagsAgain()
  const { _id: projectId } = useProject()
  const element = useRef<HTMLFormElement>(null)
  const [conflict, setConflict] = useState<EdgeGroup | null>(null)
  const fields = useFormFields<GroupFields>({
    name: null,
    saved: { values: fieldsOf(group?.label ?? '', rule), revision: group?.revision },
    problemsOf: problemsIn,
    element,
  })
  const { form, shown, hasChanges, isFit } = fields
  const states = form.field('states')
  const keyOf = useRepeatableKey()
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: ({ revision, before }: { revision: number | undefined; before: EdgeGroup | undefined }) => {
      const body = groupOf(shown)
      if (group === undefined)
        return call(edgeGroupEndpoints.create, { params: { projectId }, body, idempotencyKey: keyOf(body) })
      const { label, ...others } = body
      return call(edgeGroupEndpoints.update, {
        params: { projectId, itemId: group._id },
        // An unchanged name of an earlier release may violate the rules for new ones.
        body: label === before?.label ? others : body,
        ...(revision !== undefined && { revision }),
      })
    },
  })
  const save = async (revision: number | undefined, before = group) => {
    try {
      const { _id } = await mutateAsync({ revision, before })
      await readAgain()
      notify({ title: texts.saved, tone: 'success' })
      onSaved?.(_id)
      onClose()
    } catch (failure) {
      // Errors that name no field are shown below the form.
      if (fields.refuse(failure)) reset()
      setConflict(conflictOf(failure, edgeGroupEndpoints.update))
    }
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!isPending && isFit()) await save(fields.revision)
  }
  const takeTheirs = async () => {
    await readAgain()
    fields.discard()
    setConflict(null)
  }
  return (
    <Dialog
      open
      title={group === undefined ? texts.saveAsGroup : texts.editGroup}
      unsaved={hasChanges}
      onClose={onClose}
    >
      <form ref={element} onSubmit={(event) => void submit(event)} noValidate>
        <TextField label={texts.name} autoFocus maxLength={limits.labelMax} {...form.text('label')} />
        <p className={`${styles.quiet} ${styles.ruleHint}`}>{texts.ruleHint}</p>
        {parts.map((part) => {
          const { value, set, error: problem } = form.field(part)
          const areTags = part === 'allTags' || part === 'anyTags'
          return (
            <TagInput
              key={part}
              label={texts.ruleParts[part]}
              maxLength={areTags ? limits.edgeTagMax : limits.labelMax}
              tags={value}
              onChange={(next) => set(areTags ? splitTags(next) : next)}
              removeLabel={texts.removeTag}
              error={problem}
            />
          )
        })}
        <fieldset className={styles.modes}>
          <legend>{texts.state}</legend>
          {fleetStates.map((state) => (
            <Checkbox
              key={state}
              label={texts.fleetStates[state]}
              checked={states.value.includes(state)}
              onChange={({ target }) =>
                states.set(
                  fleetStates.filter((one) => (one === state ? target.checked : states.value.includes(one))),
                )
              }
            />
          ))}
        </fieldset>
        {error !== null && conflict === null && !isCancelled(error) && (
          <Alert tone="danger" title={texts.saveFailed}>
            {error.message}
          </Alert>
        )}
        <EditConflict
          current={conflict}
          versions={
            conflict === null
              ? []
              : [{ label: texts.group, theirs: described(conflict), mine: described(groupOf(shown)) }]
          }
          pending={isPending}
          onTakeTheirs={() => void takeTheirs()}
          onKeepMine={() => conflict && void save(conflict.revision, conflict)}
          onClose={() => setConflict(null)}
        />
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" pending={isPending} pendingLabel={texts.saving}>
            {texts.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
