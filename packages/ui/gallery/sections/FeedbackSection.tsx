import FolderPlus from 'lucide-react/icons/folder-plus'
import {
  Alert,
  Awaited,
  Badge,
  Button,
  ButtonLink,
  Card,
  EmptyState,
  LockNote,
  ProjectChip,
  Skeleton,
  Spinner,
  StateChip,
  StepMark,
  ToneIcon,
} from '../../src/index.ts'
import styles from '../Gallery.module.css'
import { Group, Specimen } from '../Specimen.tsx'

const tones = ['info', 'success', 'warning', 'danger'] as const
const titles = {
  info: 'Good to know',
  success: 'Password changed',
  warning: 'Keep these codes safe',
  danger: 'Access denied',
}

export function FeedbackSection() {
  return (
    <Group title="Feedback">
      <Specimen caption="Alert" column>
        <div className={styles.pair}>
          {tones.map((tone) => (
            <Alert key={tone} tone={tone} title={titles[tone]}>
              You need another role in this project to see its devices.
            </Alert>
          ))}
          <Alert tone="danger">Invalid credentials</Alert>
          <Alert tone="info" action={<Button variant="ghost">Reload</Button>}>
            A new version is ready.
          </Alert>
        </div>
      </Specimen>
      <Specimen caption="StateChip: a shape and a word">
        <StateChip plain status="ok">
          Online
        </StateChip>
        <StateChip plain status="info">
          Updating
        </StateChip>
        <StateChip plain status="warning">
          Unstable
        </StateChip>
        <StateChip plain status="failed">
          Failed
        </StateChip>
        <StateChip plain status="stopped">
          Offline
        </StateChip>
      </Specimen>
      <Specimen caption="Awaited: the place of two rows" column>
        <Awaited height="38px" count={2} />
      </Specimen>
      <Specimen caption="ToneIcon">
        {tones.map((tone) => (
          <ToneIcon key={tone} tone={tone} label={tone} />
        ))}
      </Specimen>
      <Specimen caption="StepMark, Spinner, Badge, LockNote">
        <StepMark state="waiting" label="waiting" />
        <StepMark state="running" label="running" />
        <StepMark state="done" label="done" />
        <StepMark state="failed" label="failed" />
        <Spinner label="Loading" />
        <Badge count={3} label="3 tasks" />
        <Badge count={12} />
        <Badge count={240} />
        <LockNote>Operators change this</LockNote>
      </Specimen>
      <Specimen caption="ProjectChip: the initial in black or white, whichever reads better">
        {['#444', '#c4500a', '#ffd400', '#0b7884', '#7a3ff2', '#f2f2f2', '#111'].map((color) => (
          <ProjectChip key={color} label={`Messe ${color}`} color={color} />
        ))}
      </Specimen>
      <div className={styles.pair}>
        <Card title="Projects" aria-busy="true">
          {['70%', '45%', '60%'].map((width) => (
            <Skeleton key={width} width={width} />
          ))}
        </Card>
        <Card flush>
          <EmptyState
            icon={<FolderPlus />}
            title="No project selected"
            text="Create a project, or pick one from the list, to see its apps here."
            action={
              <ButtonLink href="#create" variant="primary">
                Create project
              </ButtonLink>
            }
          />
        </Card>
      </div>
    </Group>
  )
}
