import ArrowRight from 'lucide-react/icons/arrow-right'
import Pencil from 'lucide-react/icons/pencil'
import Plus from 'lucide-react/icons/plus'
import Settings2 from 'lucide-react/icons/settings-2'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Badge, Button, ButtonLink, CopyButton, HandOver, IconButton, Kbd, Link } from '../../src/index.ts'
import { Group, Specimen } from '../Specimen.tsx'

const variants = ['primary', 'secondary', 'ghost', 'danger', 'danger-quiet'] as const

export function ActionsSection() {
  const [saving, setSaving] = useState(false)
  const save = () => {
    setSaving(true)
    setTimeout(() => setSaving(false), 1500)
  }
  return (
    <Group title="Actions">
      <Specimen caption="Button">
        {variants.map((variant) => (
          <Button key={variant} variant={variant}>
            {variant}
          </Button>
        ))}
      </Specimen>
      <Specimen caption="With an icon and a shortcut">
        {variants.map((variant) => (
          <Button key={variant} variant={variant} icon={<Plus />} shortcut="Mod+K">
            Create
          </Button>
        ))}
      </Specimen>
      <Specimen caption="CopyButton">
        <CopyButton text="H74B-D9A9-WST8-C08X" copiedLabel="Copied" failedLabel="Copying failed">
          Copy
        </CopyButton>
      </Specimen>
      <Specimen caption="HandOver" column>
        <HandOver
          title="Hand this link over to ada@example.org"
          link="https://pult.example/token-link/4f2a"
          label="Invitation link"
          copyLabel="Copy the link"
          copiedLabel="Copied"
          failedLabel="Copying failed"
        >
          No mail server is set up. The link works for 7 days.
        </HandOver>
      </Specimen>
      <Specimen caption="Disabled">
        {variants.map((variant) => (
          <Button key={variant} variant={variant} icon={<Plus />} shortcut="Mod+S" disabled>
            Save
          </Button>
        ))}
      </Specimen>
      <Specimen caption="Pending">
        {variants.map((variant) => (
          <Button key={variant} variant={variant} pending pendingLabel="Saving">
            Save changes
          </Button>
        ))}
        <Button onClick={save} pending={saving} pendingLabel="Saving">
          Press me
        </Button>
      </Specimen>
      <Specimen caption="IconButton">
        <IconButton label="Edit" icon={<Pencil />} />
        <IconButton label="Settings" icon={<Settings2 />} variant="secondary" shortcut="Mod+Comma" />
        <IconButton label="Tasks, 3 running" icon={<Settings2 />} badge={<Badge count={3} />} />
        <IconButton label="Delete" icon={<Trash2 />} disabled />
      </Specimen>
      <Specimen caption="Link, ButtonLink, Kbd">
        <Link href="#forgot">Forgot password?</Link>
        <p>
          Read the <Link href="https://example.org">operations manual</Link> before you begin.
        </p>
        <ButtonLink href="#projects" variant="primary" icon={<ArrowRight />}>
          Go to the projects
        </ButtonLink>
        <ButtonLink href="#create">Create project</ButtonLink>
        <Kbd keys="Mod+S" />
        <Kbd keys="Esc" />
      </Specimen>
    </Group>
  )
}
