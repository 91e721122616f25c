import { useCredentials, useNotify } from '@pult/sdk'
import type { AccessRequest, PendingInvitation, Product, Project, SentInvitation } from '@pult/sdk/api'
import { Waiting } from '@pult/sdk/resource'
import {
  Avatar,
  Button,
  Card,
  HandOver,
  IconButton,
  keepFocus,
  LockNote,
  StateChip,
  Table,
  type TableColumn,
  TimeAgo,
} from '@pult/sdk/ui'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { AccessLink } from '../access/AccessLink.tsx'
import {
  useAccessRequests,
  useInvitations,
  useLiveWithProject,
  useOrganisationMembers,
  useProducts,
} from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import { managesPeople, mayEdit } from '../rights.ts'
import { AddPerson } from './AddPerson.tsx'
import { EditRoles } from './EditRoles.tsx'
import { type Holder, holdersOf } from './holders.ts'
import { InvitationActions } from './InvitationActions.tsx'
import { InviteForm } from './InviteForm.tsx'
import styles from './People.module.css'
import { RemovePerson } from './RemovePerson.tsx'
import { RequestActions } from './RequestActions.tsx'
import { RevokeInvitation } from './RevokeInvitation.tsx'
import { roleLabel } from './RoleOptions.tsx'
import { RoleChip, RolesCell } from './RolesCell.tsx'

/** A person with access, an invited person, or a request for a role. */
type Row = { key: string } & (
  | { person: Holder; invitation?: never; request?: never }
  | { person?: never; invitation: PendingInvitation; request?: never }
  | { person?: never; invitation?: never; request: AccessRequest }
)

/** Subject of a dialog. It stays while the dialog closes. */
type Subject =
  | { kind: 'add' }
  | { kind: 'edit'; person: Holder; requested?: string }
  | { kind: 'remove'; person: Holder }
  | { kind: 'revoke'; invitation: PendingInvitation }

/** An invitation link that root must pass on, because there is no mail server. */
interface Unsent {
  invitation: PendingInvitation
  link: string
}

/** One row per person, per invitation and per request; requests come first, because they need an answer. */
export function PeopleCard({ project }: { project: Project }) {
  const { _id: ownId, isRoot } = useCredentials()
  const manages = managesPeople(project)
  const { data: members } = useOrganisationMembers()
  const { data: products, isLoading: areProductsLoading } = useProducts()
  const { data: invitations = [], isLoading, error, refetch } = useInvitations(manages)
  const {
    data: requests = [],
    isLoading: areRequestsLoading,
    error: requestsError,
    refetch: readRequestsAgain,
  } = useAccessRequests(manages)
  useLiveWithProject()
  const [subject, setSubject] = useState<Subject | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [unsent, setUnsent] = useState<Unsent | null>(null)
  const notify = useNotify()

  const ask = (about: Subject) => {
    setSubject(about)
    setOpen(true)
  }
  const dialog = { open: isOpen, onClose: () => setOpen(false) }
  const announce = ({ invitation, isMailed, link }: SentInvitation) => {
    if (isMailed) notify({ title: texts.invited(invitation.email), tone: 'success' })
    else if (link === undefined)
      notify({ title: texts.waits(invitation.email), text: texts.waitsText, tone: 'info' })
    setUnsent(link === undefined ? null : { invitation, link })
  }
  const grant = ({ person: { _id: personId, name }, productRole }: AccessRequest) => {
    const grants = project.grants.filter(({ user }) => user === personId)
    ask({ kind: 'edit', person: { personId, name, as: null, grants }, requested: productRole })
  }
  const rows: Row[] = [
    ...requests.map((request) => ({ key: request._id, request })),
    ...holdersOf(project, members).map((person) => ({ key: person.personId, person })),
    ...invitations.map((invitation) => ({ key: invitation._id, invitation })),
  ]
  // After acceptance or revocation the link is useless.
  const isLinkOpen = invitations.some(({ _id }) => _id === unsent?.invitation._id)
  return (
    <Card
      ref={keepFocus}
      tabIndex={-1}
      className={styles.list}
      title={texts.people}
      actions={
        isRoot ? (
          <Button onClick={() => ask({ kind: 'add' })}>{texts.add}</Button>
        ) : (
          !manages && <LockNote>{texts.changedByOwner(project.ownerName)}</LockNote>
        )
      }
      flush
    >
      {unsent && isLinkOpen && (
        <HandOver
          title={texts.handOver(unsent.invitation.email)}
          link={unsent.link}
          label={texts.link}
          copyLabel={texts.copy}
          copiedLabel={texts.copied}
          failedLabel={texts.copyFailed}
        >
          {texts.handOverText}
        </HandOver>
      )}
      <Table
        label={texts.people}
        columns={columnsOf(project, { ownId, isRoot, products, ask, announce, grant })}
        rows={isLoading || areRequestsLoading || areProductsLoading ? undefined : rows}
        rowKey={({ key }) => key}
      />
      {manages && error !== null && (
        <Waiting failed={texts.invitationsFailed} error={error} onRetry={() => void refetch()} />
      )}
      {manages && requestsError !== null && (
        <Waiting
          failed={texts.requestsFailed}
          error={requestsError}
          onRetry={() => void readRequestsAgain()}
        />
      )}
      {manages && <InviteForm onSent={announce} />}
      <p className={styles.note}>{texts.peopleText}</p>
      {isRoot && <AddPerson {...dialog} open={isOpen && subject?.kind === 'add'} />}
      {subject?.kind === 'edit' && (
        <EditRoles
          key={`${subject.person.personId} ${subject.requested}`}
          person={subject.person}
          requested={subject.requested}
          {...dialog}
        />
      )}
      {subject?.kind === 'remove' && <RemovePerson person={subject.person} {...dialog} />}
      {subject?.kind === 'revoke' && <RevokeInvitation invitation={subject.invitation} {...dialog} />}
    </Card>
  )
}

interface ColumnParts {
  ownId: string
  isRoot: boolean
  products: readonly Product[] | undefined
  ask: (about: Subject) => void
  announce: (sent: SentInvitation) => void
  grant: (request: AccessRequest) => void
}

const columnsOf = (
  project: Project,
  { ownId, isRoot, products, ask, announce, grant }: ColumnParts,
): TableColumn<Row>[] => [
  {
    header: texts.name,
    kind: 'title',
    cell: ({ person, invitation, request }) =>
      request !== undefined ? (
        <span className={styles.who}>
          <Avatar id={request.person._id} name={request.person.name} />
          <span className={styles.asker}>
            {request.person.name}
            <span className={styles.quiet}>
              {request.person.email}
              {!request.person.isEmailVerified && ` · ${texts.emailNotVerified}`}
            </span>
            {request.message !== '' && <span className={styles.quiet}>{request.message}</span>}
          </span>
        </span>
      ) : person === undefined ? (
        <span className={styles.who}>
          <Avatar id={invitation._id} name={invitation.email} />
          {invitation.email}
        </span>
      ) : (
        <span className={styles.who}>
          <Avatar id={person.personId} name={person.name} />
          {person.name} {person.personId === ownId && <span className={styles.quiet}>{texts.you}</span>}
        </span>
      ),
  },
  {
    header: texts.roles,
    cell: ({ person, invitation, request }) =>
      request !== undefined ? (
        <span className={styles.roles}>
          <RoleChip>{roleLabel(request.productRole, products)}</RoleChip>
          <StateChip status="warning">{texts.asksFor}</StateChip>
          <span className={styles.quiet}>
            <TimeAgo at={request.createdAt} />
          </span>
        </span>
      ) : person === undefined ? (
        <span className={styles.roles}>
          <RoleChip>
            {invitation.productRole === null ? texts.noRole : roleLabel(invitation.productRole, products)}
          </RoleChip>
          <StateChip status={invitation.isExpired ? 'warning' : 'info'}>
            {invitation.isExpired ? texts.expired : texts.invitedState}
          </StateChip>
          <span className={styles.quiet}>
            <TimeAgo
              at={invitation.expiresAt}
              {...(!invitation.isExpired && { sentence: texts.expiresIn })}
            />
          </span>
        </span>
      ) : (
        <RolesCell person={person} project={project} products={products} />
      ),
  },
  ...(mayEdit(project) ? [actionsOf(project, { isRoot, ask, announce, grant })] : []),
]

/** Actions for a person. Users who may edit the project see why the person has access; only root changes grants. */
const actionsOf = (
  project: Project,
  { isRoot, ask, announce, grant }: Pick<ColumnParts, 'isRoot' | 'ask' | 'announce' | 'grant'>,
): TableColumn<Row> => ({
  header: texts.actions,
  kind: 'actions',
  cell: ({ person, invitation, request }) =>
    request !== undefined ? (
      <RequestActions request={request} project={project} onSent={announce} onGrant={() => grant(request)} />
    ) : person === undefined ? (
      <InvitationActions
        invitation={invitation}
        onSent={announce}
        onRevoke={() => ask({ kind: 'revoke', invitation })}
      />
    ) : (
      <span className={styles.actions}>
        <AccessLink personId={person.personId} name={person.name} />
        {isRoot && person.grants.length > 0 && (
          <>
            <Button
              variant="ghost"
              aria-label={texts.editRolesOf(person.name)}
              onClick={() => ask({ kind: 'edit', person })}
            >
              {texts.editRoles}
            </Button>
            <IconButton
              label={texts.removeOf(person.name)}
              icon={<Trash aria-hidden="true" />}
              onClick={() => ask({ kind: 'remove', person })}
            />
          </>
        )}
      </span>
    ),
})
