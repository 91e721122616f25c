import { useChange, useFormat, useProject } from '@pult/sdk'
import { edgeKeyEndpoints, limits, numberIn, type ReplyOf } from '@pult/sdk/api'
import { FormDialog, type Problems, useFormFields } from '@pult/sdk/resource'
import { Button, Checkbox, CopyButton, Dialog, SelectField, TagInput, TextField } from '@pult/sdk/ui'
import { AgentCommand } from '../AgentCommand.tsx'
import { splitTags } from '../tags.ts'
import styles from './joining.module.css'
import { joiningData } from './joining.queries.ts'
import { texts } from './joining.texts.ts'

type MadeKey = ReplyOf<typeof edgeKeyEndpoints.create>

type KeyFields = {
  label: string
  uses: string
  days: string
  tags: readonly string[]
  needsApproval: boolean
}

const lifetimes = [1, 7, 30, 90, 365]

const fresh: KeyFields = {
  label: '',
  uses: '',
  days: String(limits.edgeKeyDays),
  tags: [],
  needsApproval: true,
}

const isNumberOfUses = (typed: string) =>
  /^\p{Nd}{1,5}$/u.test(typed) && numberIn(typed) >= 1 && numberIn(typed) <= limits.edgesMax

const problemsIn = ({ label, uses, tags }: KeyFields): Problems<KeyFields> => ({
  ...(label.trim() === '' && { label: texts.nameMissing }),
  ...(uses.trim() !== '' && !isNumberOfUses(uses.trim()) && { uses: texts.usesWrong(limits.edgesMax) }),
  ...(tags.length > limits.edgeTagsMax && { tags: texts.tooManyTags(limits.edgeTagsMax) }),
})

/** Creates an enrolment key, then shows it once with the command that uses it. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const { _id: projectId } = useProject()
  const fields = useFormFields<KeyFields>({ name: null, saved: { values: fresh }, problemsOf: problemsIn })
  const { form, shown } = fields
  const { mutateAsync, data } = useChange(
    edgeKeyEndpoints.create,
    ({ label, uses, days, tags, needsApproval }: KeyFields) => ({
      params: { projectId },
      body: {
        label: label.trim(),
        tags: [...tags],
        needsApproval,
        ...(uses.trim() !== '' && { uses: numberIn(uses) }),
        days: Number(days),
      },
    }),
    { touches: joiningData, gcTime: 0 },
  )
  const days = form.field('days')
  const tags = form.field('tags')
  const needsApproval = form.field('needsApproval')
  if (data !== undefined) return <MadeKeyDialog made={data} onClose={onClose} />
  return (
    <FormDialog
      title={texts.addKey}
      submit={texts.addKey}
      pendingLabel={texts.adding}
      failed={texts.addFailed}
      fields={fields}
      save={() => mutateAsync(shown)}
      onSaved={() => {}}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        autoFocus
        maxLength={limits.labelMax}
        {...form.text('label')}
        description={texts.nameHint}
      />
      <TextField
        label={texts.uses}
        inputMode="numeric"
        maxLength={5}
        {...form.text('uses')}
        description={texts.usesHint}
      />
      <SelectField label={texts.expires} value={days.value} onChange={({ target }) => days.set(target.value)}>
        {lifetimes.map((count) => (
          <option key={count} value={count}>
            {texts.days(count)}
          </option>
        ))}
      </SelectField>
      <TagInput
        label={texts.tags}
        description={texts.tagsHint}
        placeholder={texts.tagPlaceholder}
        maxLength={limits.edgeTagMax}
        tags={tags.value}
        onChange={(next) => tags.set(splitTags(next))}
        removeLabel={texts.removeTag}
        error={tags.error}
      />
      <Checkbox
        label={texts.needsApproval}
        description={texts.needsApprovalHint}
        checked={needsApproval.value}
        onChange={({ target }) => needsApproval.set(target.checked)}
      />
    </FormDialog>
  )
}

function MadeKeyDialog({ made: { key, secret }, onClose }: { made: MadeKey; onClose: () => void }) {
  const format = useFormat()
  const until = key.expiresAt === null ? null : format.date(key.expiresAt)
  return (
    <Dialog
      open
      size="md"
      title={texts.keyMade(key.label)}
      onClose={onClose}
      footer={<Button onClick={onClose}>{texts.close}</Button>}
    >
      <div className={styles.made}>
        <p>{texts.keyOnce}</p>
        <div className={styles.secret}>
          <TextField
            label={texts.key}
            readOnly
            value={secret}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton text={secret} copiedLabel={texts.copied} failedLabel={texts.copyFailed}>
            {texts.copyKey}
          </CopyButton>
        </div>
        <AgentCommand code={secret} note={texts.keyWorks(key.usesLeft, until)} />
      </div>
    </Dialog>
  )
}
