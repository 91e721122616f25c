import { useRole } from '@pult/sdk'
import type { BodyOf, EdgeRequest, edgeRequestEndpoints } from '@pult/sdk/api'
import { LoadingFailed } from '@pult/sdk/resource'
import {
  Button,
  Card,
  Checkbox,
  ConfirmDialog,
  keepFocus,
  ScrollRegion,
  StateChip,
  TimeAgo,
} from '@pult/sdk/ui'
import { type ReactNode, useState } from 'react'
import { TagList } from '../TagList.tsx'
import styles from './joining.module.css'
import { useDecision, useJoinRequests, useRefusedRequests } from './joining.queries.ts'
import { texts } from './joining.texts.ts'

type Decision = BodyOf<typeof edgeRequestEndpoints.decide>['decision']
type Decide = (decision: Decision, requests: readonly EdgeRequest[]) => void

interface Question {
  decision: Decision
  requests: readonly EdgeRequest[]
}

/** Returns the label of a machine, or the host name of a copy, because its edge has the label already. */
const nameOf = ({ edge, label, machine }: EdgeRequest) => (edge === null ? label : machine?.hostname || label)

/** Lists the machines that wait for a decision, for those who may decide. Renders nothing without machines. */
export function JoinRequests() {
  return useRole('edges:manage') ? <Requests /> : null
}

function Requests() {
  const { data, error, refetch } = useJoinRequests()
  const decision = useDecision()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [question, setQuestion] = useState<Question | null>(null)
  // Renders nothing while loading, because most projects have no waiting machine.
  if (data === undefined && error !== null)
    return <LoadingFailed title={texts.requestsFailed} error={error} onRetry={() => void refetch()} />
  if (data === undefined || data.total === 0) return null
  const { items, total } = data
  const chosen = items.filter(({ _id }) => selected.has(_id))

  const decideNow = ({ decision: decided, requests }: Question) =>
    decision.mutate({ decision: decided, requests: requests.map(({ _id }) => _id) })
  // Asks for confirmation, because a refusal and a change of an edge's machine cannot be undone here.
  const decide: Decide = (decided, requests) => {
    const proposal = { decision: decided, requests }
    if (decided === 'refuse' || requests.some(({ edge }) => edge !== null)) setQuestion(proposal)
    else decideNow(proposal)
  }
  return (
    <Card ref={keepFocus} tabIndex={-1} title={texts.waiting(total)} flush>
      {items.length > 1 && (
        <div className={styles.bulk}>
          <Checkbox
            label={chosen.length === 0 ? texts.selectAll : texts.selected(chosen.length)}
            checked={chosen.length === items.length}
            indeterminate={chosen.length > 0 && chosen.length < items.length}
            onChange={({ target }) => setSelected(new Set(target.checked ? items.map(({ _id }) => _id) : []))}
          />
          <span className={styles.actions}>
            <Button variant="ghost" disabled={chosen.length === 0} onClick={() => decide('refuse', chosen)}>
              {texts.refuseSelected}
            </Button>
            <Button disabled={chosen.length === 0} onClick={() => decide('approve', chosen)}>
              {texts.approveSelected}
            </Button>
          </span>
        </div>
      )}
      <ScrollRegion as="ul" className={styles.requests} aria-label={texts.waiting(total)}>
        {items.map((request) => (
          <Request
            key={request._id}
            request={request}
            name={
              items.length > 1 ? (
                <Checkbox
                  label={<b>{nameOf(request)}</b>}
                  checked={selected.has(request._id)}
                  onChange={({ target }) => setSelected(withOrWithout(selected, request._id, target.checked))}
                />
              ) : (
                <b>{nameOf(request)}</b>
              )
            }
            actions={<Decisions request={request} onDecide={decide} />}
          />
        ))}
      </ScrollRegion>
      {total > items.length && <p className={styles.more}>{texts.more(total - items.length)}</p>}
      {question !== null && (
        <DecisionQuestion
          question={question}
          onConfirm={() => {
            setQuestion(null)
            decideNow(question)
          }}
          onCancel={() => setQuestion(null)}
        />
      )}
    </Card>
  )
}

function withOrWithout(selected: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const changed = new Set(selected)
  if (isIn) changed.add(id)
  else changed.delete(id)
  return changed
}

interface RequestProps {
  request: EdgeRequest
  /** The machine's name, as the label of a checkbox if several machines wait. */
  name: ReactNode
  actions: ReactNode
}

function Request({ request, name, actions }: RequestProps) {
  const { edge, tags, isReturning } = request
  return (
    <li className={styles.request}>
      <div className={styles.head}>
        <span className={styles.name}>
          {name}
          {edge !== null && <StateChip status="warning">{texts.copyOf(edge.label)}</StateChip>}
          {isReturning && <StateChip status="info">{texts.returning}</StateChip>}
          {tags.length > 0 && <TagList tags={tags} />}
        </span>
        <span className={styles.actions}>{actions}</span>
      </div>
      {isReturning && <p className={styles.quiet}>{texts.returningText}</p>}
      {edge !== null && !isReturning && (
        <p className={styles.quiet}>{copyTextOf(edge.label, request.machine)}</p>
      )}
      <Facts request={request} />
    </li>
  )
}

function Decisions({ request, onDecide }: { request: EdgeRequest; onDecide: Decide }) {
  return (
    <>
      <Button
        variant="ghost"
        aria-label={texts.refuseOne(nameOf(request))}
        onClick={() => onDecide('refuse', [request])}
      >
        {texts.refuse}
      </Button>
      <ApproveButton request={request} onClick={() => onDecide('approve', [request])} />
    </>
  )
}

function ApproveButton({ request, onClick }: { request: EdgeRequest; onClick: () => void }) {
  const { edge } = request
  const label = nameOf(request)
  return (
    <Button
      aria-label={edge === null ? texts.approveOne(label) : texts.acceptOne(label, edge.label)}
      onClick={onClick}
    >
      {edge === null ? texts.approve : texts.accept}
    </Button>
  )
}

/** Lists the machines that were refused, so that a decision can be taken back. Renders nothing without machines. */
export function RefusedRequests() {
  const { data } = useRefusedRequests()
  const { mutate: decide } = useDecision()
  const [question, setQuestion] = useState<Question | null>(null)
  if (data === undefined || data.total === 0) return null
  const { items, total } = data
  const readmit = ({ requests }: Question) =>
    decide({ decision: 'readmit', requests: requests.map(({ _id }) => _id) })
  return (
    <Card ref={keepFocus} tabIndex={-1} title={texts.refusedMachines(total)} flush>
      <p className={styles.refusedText}>{texts.refusedText}</p>
      <ScrollRegion as="ul" className={styles.requests} aria-label={texts.refusedMachines(total)}>
        {items.map((request) => (
          <Request
            key={request._id}
            request={request}
            name={<b>{nameOf(request)}</b>}
            actions={
              <ApproveButton
                request={request}
                onClick={() => {
                  const proposal: Question = { decision: 'readmit', requests: [request] }
                  if (request.edge === null) readmit(proposal)
                  else setQuestion(proposal)
                }}
              />
            }
          />
        ))}
      </ScrollRegion>
      {total > items.length && <p className={styles.more}>{texts.moreRefused(total - items.length)}</p>}
      {question !== null && (
        <DecisionQuestion
          question={question}
          onConfirm={() => {
            setQuestion(null)
            readmit(question)
          }}
          onCancel={() => setQuestion(null)}
        />
      )}
    </Card>
  )
}

/** An agent that shows no hardware may also run on the machine of its edge. */
const copyTextOf = (label: string, machine: EdgeRequest['machine']) =>
  machine === null || machine.ids.length === 0 ? texts.bareCopyText(label) : texts.copyText(label)

/** Values that the machine reports about itself. */
function Facts({ request: { machine, version, address, key, createdAt } }: { request: EdgeRequest }) {
  return (
    <>
      <dl className={styles.facts}>
        {machine !== null && (
          <>
            <Fact name={texts.model}>{machine.model}</Fact>
            <Fact name={texts.serial}>{machine.serial}</Fact>
            <Fact name={texts.system}>{machine.platform}</Fact>
            <Fact name={texts.addresses}>{machine.addresses.join(', ')}</Fact>
          </>
        )}
        <Fact name={texts.from}>{address}</Fact>
        <Fact name={texts.agent}>{version}</Fact>
        <Fact name={texts.key}>{key}</Fact>
        <Fact name={texts.since}>
          <TimeAgo at={createdAt} />
        </Fact>
      </dl>
      {machine === null && <p className={styles.quiet}>{texts.noFacts}</p>}
    </>
  )
}

/** Renders a fact; nothing without a value. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface DecisionQuestionProps {
  question: Question
  onConfirm: () => void
  onCancel: () => void
}

function DecisionQuestion({ question, onConfirm, onCancel }: DecisionQuestionProps) {
  const { title, text, confirmLabel } = wordsOf(question)
  return (
    <ConfirmDialog
      open
      title={title}
      confirmLabel={confirmLabel}
      cancelLabel={texts.cancel}
      destructive={question.decision === 'refuse'}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      {text}
    </ConfirmDialog>
  )
}

function wordsOf({ decision, requests }: Question): { title: string; text: string; confirmLabel: string } {
  const [first] = requests
  const one = requests.length === 1 ? first : undefined
  const copies = requests.flatMap(({ edge }) => (edge === null ? [] : [edge.label]))
  if (decision === 'refuse')
    return {
      title:
        one === undefined ? texts.refuseManyQuestion(requests.length) : texts.refuseQuestion(nameOf(one)),
      text: one === undefined ? texts.refuseManyText : texts.refuseText,
      confirmLabel: texts.refuse,
    }
  return one?.edge
    ? {
        title: texts.acceptQuestion(one.edge.label),
        text: texts.acceptText,
        confirmLabel: texts.accept,
      }
    : {
        title: texts.approveQuestion(requests.length),
        text: texts.copiesText(copies.join(', ')),
        confirmLabel: texts.approve,
      }
}
