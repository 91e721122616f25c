import { isCancelled, useChange, useNotify, useProject } from '@pult/sdk'
import { type EdgeGroup, type EdgeRule, edgeGroupEndpoints, type FleetState, limits } from '@pult/sdk/api'
import { conflictOf, EditConflict, type Problems, useFormFields } from '@pult/sdk/resource'
import { Alert, Button, Checkbox, Dialog, DialogActions, TagInput, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useRef, useState } from 'react'
import styles from './edges.module.css'
import { fleetData } from './edges.queries.ts'
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
  const notify = useNotify()
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
  const create = useChange(
    edgeGroupEndpoints.create,
    () => ({ params: { projectId }, body: groupOf(shown) }),
    { touches: fleetData },
  )
  const update = useChange(
    edgeGroupEndpoints.update,
    ({ revision, before }: { revision: number | undefined; before: EdgeGroup }) => {
      const { label, ...others } = groupOf(shown)
      // An unchanged name of an earlier release may violate the rules for new ones.
      const body = label === before.label ? others : { label, ...others }
      return { params: { projectId, itemId: before._id }, body, revision }
    },
    { touches: fleetData },
  )
  const { isPending, error, reset } = group === undefined ? create : update
  const save = async (revision: number | undefined, before = group) => {
    try {
      const { _id } = await (before === undefined
        ? create.mutateAsync()
        : update.mutateAsync({ revision, before }))
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
  const takeTheirs = () => {
    // Their version is shown already: a failed change reads the groups again.
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
          onTakeTheirs={takeTheirs}
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
