import { useChange, useNotify, useProject, useRole } from '@pult/sdk'
import { type EdgeGroup, type EdgeRule, edgeGroupEndpoints } from '@pult/sdk/api'
import { Button, ConfirmDialog, IconButton, Menu, MenuItem, MenuTrigger, SelectField } from '@pult/sdk/ui'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import styles from './edges.module.css'
import { fleetData } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { GroupDialog } from './GroupDialog.tsx'

interface GroupChoiceProps {
  groups: readonly EdgeGroup[]
  /** Id of the chosen group. */
  chosen: string | null
  onChange: (groupId: string | null) => void
  /** The chosen filters as a rule; null without filters to save. */
  rule: EdgeRule | null
}

/** Chooses a saved group, saves the filters as a group, and changes and deletes the chosen group. */
export function GroupChoice({ groups, chosen, onChange, rule }: GroupChoiceProps) {
  const mayManage = useRole('edges:manage')
  const [isSaving, setSaving] = useState(false)
  const group = groups.find(({ _id }) => _id === chosen)
  return (
    <>
      {groups.length > 0 && (
        <SelectField
          label={texts.group}
          hideLabel
          className={styles.filterChoice}
          value={group?._id ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
        >
          <option value="">{texts.allGroups}</option>
          {groups.map(({ _id, label, count }) => (
            <option key={_id} value={_id}>
              {texts.valueCount(label, count)}
            </option>
          ))}
        </SelectField>
      )}
      {mayManage && group !== undefined && <GroupMenu group={group} onDeleted={() => onChange(null)} />}
      {group !== undefined && group.matches !== 'some' && (
        <span className={styles.quiet}>{texts.groupMatches[group.matches]}</span>
      )}
      {mayManage && group === undefined && rule !== null && (
        <Button onClick={() => setSaving(true)}>{texts.saveAsGroup}</Button>
      )}
      {isSaving && rule !== null && (
        <GroupDialog rule={rule} onSaved={onChange} onClose={() => setSaving(false)} />
      )}
    </>
  )
}

function GroupMenu({ group, onDeleted }: { group: EdgeGroup; onDeleted: () => void }) {
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const params = { projectId, itemId: group._id }
  const remove = useChange(edgeGroupEndpoints.remove, () => ({ params }), {
    touches: fleetData,
    onSuccess: onDeleted,
    onError: (error) => notify({ title: texts.groupDeletingFailed, error }),
  })
  return (
    <>
      <MenuTrigger>
        <IconButton label={texts.actionsOf(group.label)} icon={<Ellipsis />} />
        <Menu>
          <MenuItem icon={<Pencil />} onAction={() => setOpen('edit')}>
            {texts.editGroup}
          </MenuItem>
          <MenuItem icon={<Trash2 />} onAction={() => setOpen('delete')}>
            {texts.deleteGroup}
          </MenuItem>
        </Menu>
      </MenuTrigger>
      {open === 'edit' && <GroupDialog group={group} rule={group.rule} onClose={close} />}
      <ConfirmDialog
        open={open === 'delete'}
        title={texts.deleteGroupQuestion(group.label)}
        confirmLabel={texts.deleteGroup}
        cancelLabel={texts.cancel}
        onConfirm={() => {
          close()
          remove.mutate()
        }}
        onCancel={close}
      >
        {texts.deleteGroupText}
      </ConfirmDialog>
    </>
  )
}
