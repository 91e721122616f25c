import type { Organisation, OrganisationMember } from '@pult/contract'
import { Loaded } from '@pult/sdk/resource'
import { keepFocus } from '@pult/sdk/ui'
import { Button, Card, IconButton, LockNote, Table, type TableColumn, TimeAgo } from '@pult/ui'
import Crown from 'lucide-react/icons/crown'
import UserMinus from 'lucide-react/icons/user-minus'
import { useState } from 'react'
import { ActionDialog } from '#platform/ActionDialog.tsx'
import { notify } from '#platform/notify.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { MakeOwner } from './MakeOwner.tsx'
import styles from './Organisations.module.css'
import { useLeaveOrganisation, useMembers, useRemoveMember } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

type Question = 'make owner' | 'remove'

const nameOf = ({ firstname, lastname }: OrganisationMember) => `${firstname} ${lastname}`

interface MembersProps {
  organisation: Organisation
  /** Called after the user has lost access to the organisation. */
  onLeft: () => void
}

export function Members({ organisation, onLeft }: MembersProps) {
  const members = useMembers(organisation._id)
  const { _id: ownId } = useCredentials()
  const [asked, setAsked] = useState<OrganisationMember | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  const [asksToLeave, setAsksToLeave] = useState(false)

  const ask = (about: Question, member: OrganisationMember) => {
    setAsked(member)
    setQuestion(about)
  }
  const close = () => setQuestion(null)
  const own = members.data?.find(({ _id }) => _id === ownId)
  return (
    <Card
      ref={keepFocus}
      tabIndex={-1}
      className={styles.list}
      title={texts.members}
      actions={
        <>
          {organisation.access === 'member' && (
            <LockNote>{texts.changedByOwner(organisation.ownerName)}</LockNote>
          )}
          {own?.isOwner === false && <Button onClick={() => setAsksToLeave(true)}>{texts.leave}</Button>}
        </>
      }
      flush
    >
      <Loaded query={members} failed={texts.membersFailed}>
        {(rows) => (
          <Table
            label={texts.members}
            columns={organisation.access === 'member' ? columns : [...columns, actions(ownId, ask)]}
            rows={rows}
            rowKey={({ _id }) => _id}
          />
        )}
      </Loaded>
      {asked && (
        <>
          <MakeOwner
            organisation={organisation}
            member={asked}
            open={question === 'make owner'}
            onClose={close}
          />
          <RemovalDialog
            orgId={organisation._id}
            member={asked}
            open={question === 'remove'}
            onClose={close}
          />
        </>
      )}
      <LeaveDialog
        organisation={organisation}
        ownId={ownId}
        open={asksToLeave}
        onClose={() => setAsksToLeave(false)}
        onLeft={onLeft}
      />
    </Card>
  )
}

const columns: TableColumn<OrganisationMember>[] = [
  {
    header: texts.name,
    kind: 'title',
    cell: (member) => (
      <span className={styles.person}>
        {nameOf(member)}
        <span className={styles.quiet}>
          {member.email}
          {!member.isEmailVerified && ` · ${texts.emailNotVerified}`}
        </span>
      </span>
    ),
  },
  { header: texts.role, cell: ({ isOwner }) => (isOwner ? texts.owner : texts.member) },
  { header: texts.since, cell: ({ since }) => <TimeAgo at={since} /> },
]

/** Users leave by the button above the list, and the owner cannot be removed. */
const actions = (
  ownId: string,
  ask: (about: Question, member: OrganisationMember) => void,
): TableColumn<OrganisationMember> => ({
  header: texts.actions,
  kind: 'actions',
  cell: (member) =>
    member.isOwner ? null : (
      <span className={styles.memberActions}>
        <IconButton
          label={texts.makeOwnerOf(nameOf(member))}
          icon={<Crown aria-hidden="true" />}
          onClick={() => ask('make owner', member)}
        />
        {member._id !== ownId && (
          <IconButton
            label={texts.removeMember(nameOf(member))}
            icon={<UserMinus aria-hidden="true" />}
            onClick={() => ask('remove', member)}
          />
        )}
      </span>
    ),
})

interface RemovalDialogProps {
  orgId: string
  member: OrganisationMember
  open: boolean
  onClose: () => void
}

function RemovalDialog({ orgId, member, open, onClose }: RemovalDialogProps) {
  return (
    <ActionDialog
      open={open}
      title={texts.removeMemberQuestion}
      confirmLabel={texts.remove}
      cancelLabel={texts.cancel}
      action={useRemoveMember(orgId)}
      subject={member._id}
      onDone={() => notify.success(texts.memberRemoved)}
      onClose={onClose}
    >
      {texts.removeMemberText(nameOf(member))}
    </ActionDialog>
  )
}

interface LeaveDialogProps {
  organisation: Organisation
  ownId: string
  open: boolean
  onClose: () => void
  onLeft: () => void
}

function LeaveDialog({ organisation, ownId, open, onClose, onLeft }: LeaveDialogProps) {
  const leave = () => {
    notify.success(texts.left(organisation.label))
    onLeft()
  }
  return (
    <ActionDialog
      open={open}
      title={texts.leaveQuestion}
      confirmLabel={texts.leave}
      cancelLabel={texts.cancel}
      action={useLeaveOrganisation(organisation._id, ownId)}
      subject={undefined}
      onDone={leave}
      onClose={onClose}
    >
      {texts.leaveText}
    </ActionDialog>
  )
}
