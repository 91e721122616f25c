import Camera from 'lucide-react/icons/camera'
import FolderCog from 'lucide-react/icons/folder-cog'
import Images from 'lucide-react/icons/images'
import Plug from 'lucide-react/icons/plug'
import Server from 'lucide-react/icons/server'
import Workflow from 'lucide-react/icons/workflow'
import { useState } from 'react'
import {
  AppTile,
  Avatar,
  AvatarGroup,
  Breadcrumbs,
  Button,
  Duration,
  Elapsed,
  PageHead,
  Progress,
  Remaining,
  StateBar,
  StateChip,
  type Status,
  StatusShape,
  Tabs,
  TimeAgo,
  type Tint,
} from '../../src/index.ts'
import styles from '../Gallery.module.css'
import { Group, Specimen } from '../Specimen.tsx'

const statuses: Record<Status, string> = {
  ok: 'Online',
  warning: 'Disk 94 %',
  danger: 'Offline',
  failed: 'Failed',
  info: 'Waiting',
  paused: 'Paused',
  stopped: 'Stopped',
}
const tints: Tint[] = ['teal', 'violet', 'orange', 'blue', 'pink', 'green', 'olive', 'slate', 'red']
const icons = [Server, Workflow, Images, FolderCog, Plug, Camera]
const people = ['Henrik Albers', 'Ingrid Solberg', 'Mehmet Yıldız', 'Aylin Kaya', 'Jonas Brandt'].map(
  (name) => ({ _id: name, name }),
)
const now = Date.now()
const ages = [2_000, 12_000, 41 * 60_000, 3 * 3_600_000, 26 * 3_600_000, 4 * 86_400_000, 30 * 86_400_000]
const bar = [
  { status: 'ok', count: 18, label: 'online' },
  { status: 'warning', count: 2, label: 'trouble' },
  { status: 'danger', count: 1, label: 'offline' },
  { status: 'info', count: 2, label: 'waiting' },
  { status: 'paused', count: 1, label: 'paused' },
] as const

function Icon({ index }: { index: number }) {
  const Shape = icons[index % icons.length] ?? Server
  return <Shape />
}

export function DeskSection() {
  const [tab, setTab] = useState('all')
  return (
    <Group title="Desk">
      <Specimen caption="StatusShape, StateChip: a shape and a word">
        {Object.entries(statuses).map(([status, word]) => (
          <StatusShape key={status} status={status as Status} label={word} />
        ))}
        {Object.entries(statuses).map(([status, word]) => (
          <StateChip key={status} status={status as Status}>
            {word}
          </StateChip>
        ))}
      </Specimen>
      <Specimen caption="Avatar, AvatarGroup">
        {people.map(({ _id, name }) => (
          <Avatar key={_id} id={_id} name={name} labelled />
        ))}
        <Avatar id="petra" name="petra.vogt@hafenlicht.example" size="small" labelled />
        <AvatarGroup people={people} total={9} />
        <AvatarGroup people={people.slice(0, 2)} total={2} />
      </Specimen>
      <Specimen caption="AppTile in the nine tints">
        {tints.map((tint, index) => (
          <AppTile key={tint} id={tint} tint={tint} icon={<Icon index={index} />} />
        ))}
        {tints.map((tint, index) => (
          <AppTile key={tint} id={tint} tint={tint} size="small" icon={<Icon index={index} />} />
        ))}
      </Specimen>
      <div className={styles.pair}>
        <Specimen caption="StateBar with and without its counts" column>
          <StateBar parts={bar} />
          <StateBar parts={bar} legend={false} />
        </Specimen>
        <Specimen caption="Progress: 62 %, done, unknown" column>
          <Progress value={62} label="Export Containerterminal 3" />
          <Progress value={100} label="Invite 12 people" />
          <Progress value={null} label="Transcode" />
        </Specimen>
      </div>
      <Specimen caption="TimeAgo, Elapsed, Remaining, Duration">
        {ages.map((age) => (
          <TimeAgo key={age} at={new Date(now - age).toISOString()} />
        ))}
        {ages.map((age) => (
          <Elapsed key={age} since={new Date(now - age).toISOString()} />
        ))}
        <Remaining until={now + 720_000} />
        <Duration from={new Date(now - 4_320_000).toISOString()} to={new Date(now).toISOString()} />
      </Specimen>
      <Specimen caption="Breadcrumbs, PageHead" column>
        <Breadcrumbs
          label="Place"
          items={[
            { title: 'Containerterminal 3', href: '#project' },
            { title: 'Edges', href: '#edges' },
            { title: 'Portalkran 4' },
          ]}
        />
        <PageHead
          level={2}
          icon={<AppTile id="edges" tint="teal" icon={<Server />} />}
          title="Portalkran 4"
          state={<StateChip status="danger">Offline</StateChip>}
          text="Project of Nordkai Hafenbetriebe · You are the owner"
          people={<AvatarGroup people={people} total={9} />}
          actions={
            <>
              <Button>Invite</Button>
              <Button variant="primary" shortcut="E">
                Add an edge
              </Button>
            </>
          }
        />
      </Specimen>
      <Specimen caption="Tabs" column>
        <Tabs
          label="Groups"
          selected={tab}
          onSelect={setTab}
          items={[
            { id: 'all', title: 'All', count: 24 },
            { id: 'cranes', title: 'Cranes', icon: <Server />, count: 8 },
            { id: 'gates', title: 'Gates' },
          ]}
        >
          <p>Content of {tab}</p>
        </Tabs>
      </Specimen>
    </Group>
  )
}
