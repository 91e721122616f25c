import { type SyntheticEvent, useState } from 'react'
import { Alert, BrandMark, Button, Card, Link, PasswordField, StepMark, TextField } from '../../src/index.ts'
import { Group } from '../Specimen.tsx'
import styles from './LoginSection.module.css'

const steps = [
  ['Read the session', 'done'],
  ['Load the projects', 'done'],
  ['Open the live connection', 'done'],
  ['Ask which extensions are there', 'running'],
  ['Load the extensions', 'waiting'],
] as const

export function LoginSection() {
  return (
    <Group title="Login and boot">
      <div className={styles.stage}>
        <UsernameStep />
        <PasswordStep />
        <BootCard />
      </div>
    </Group>
  )
}

function UsernameStep() {
  return (
    <Card className={styles.card}>
      <BrandMark size={40} label="Pult" />
      <h3 className={styles.title}>Login</h3>
      <form className={styles.form} onSubmit={stay}>
        <TextField
          label="Username / E-Mail"
          hideLabel
          placeholder="Username / E-Mail"
          autoComplete="username"
          inputMode="email"
        />
        <Button type="submit" variant="primary">
          Next
        </Button>
      </form>
    </Card>
  )
}

function PasswordStep() {
  const [pending, setPending] = useState(false)
  return (
    <Card className={styles.card}>
      <BrandMark size={40} label="Pult" />
      <h3 className={styles.title}>Login</h3>
      <div className={styles.who}>
        <span>ada@example.org</span>
        <Link href="#username">Change username</Link>
      </div>
      <form
        className={styles.form}
        onSubmit={(event) => {
          stay(event)
          setPending(true)
          setTimeout(() => setPending(false), 1500)
        }}
      >
        <PasswordField
          label="Password"
          autoComplete="current-password"
          showPasswordLabel="Show password"
          hidePasswordLabel="Hide password"
        />
        <Alert tone="danger">Invalid credentials</Alert>
        <div className={styles.buttons}>
          <Button>Abort</Button>
          <Button type="submit" variant="primary" pending={pending} pendingLabel="Signing in">
            Login
          </Button>
        </div>
      </form>
      <Link className={styles.forgot ?? ''} href="#forgot">
        Forgot password?
      </Link>
    </Card>
  )
}

function BootCard() {
  return (
    <Card className={styles.card}>
      <BrandMark size={40} label="Pult" />
      <h3 className={styles.title}>Starting</h3>
      <ol className={styles.steps}>
        {steps.map(([text, state]) => (
          <li key={text} data-state={state}>
            <StepMark state={state} label={state} />
            {text}
          </li>
        ))}
      </ol>
    </Card>
  )
}

function stay(event: SyntheticEvent) {
  event.preventDefault()
}
