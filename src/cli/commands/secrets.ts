/**
 * `panji secrets rotate`: reseals everything sealed in the database under another key, in one transaction, while
 * everything runs. Sessions and access tokens stay valid, because they are signed and hashed, not sealed.
 */
import { rotateSigningKey } from '../../access/signing-keys.ts'
import { audit } from '../../audit/audit.ts'
import type { Tx } from '../../db/db.ts'
import { Secret } from '../../domain/secret.ts'
import { AppError } from '../../errors.ts'
import { forgetSealed, type Rotation, rotateSecretKey } from '../../secrets/rotate.ts'
import type { OpenInstance } from '../instance/open-instance.ts'
import { adoptNextSecretKey, nextSecretKeyOf } from '../instance/secrets.ts'
import { fields } from '../output.ts'
import type { CommandContext } from '../settings.ts'
import { WrongUsage } from '../wrong-usage.ts'
import { type Declare, prints } from './command.ts'
import { textOfFile } from './named-file.ts'
import { onInstance } from './on-instance.ts'

interface RotateOptions {
  readonly newKeyFile?: string
  readonly signingKey?: boolean
  readonly lost?: boolean
}

export const declareSecrets: Declare = (program, run) => {
  const secrets = program.command('secrets').description('the key that seals credentials and signing keys')
  secrets
    .command('rotate')
    .description('reseal everything under another secret key, without logging anyone out')
    .addHelpText('after', prints('{key_id, previous_key_id, resealed, signing_key, next}'))
    .option('--new-key-file <file>', 'file with the new key, where PANJI_SECRET_KEY comes from the environment')
    .option('--signing-key', 'also sign new access tokens with a new key; earlier tokens stay valid')
    .option('--lost', 'the old key is lost: delete what it sealed; destinations need their settings again')
    .action((options: RotateOptions) => {
      if (options.lost && (options.newKeyFile !== undefined || options.signingKey)) {
        throw new WrongUsage('--lost cannot be combined with other options: it uses the key that is set now')
      }
      return onInstance(run, 'secrets rotate', async (instance, context) => {
        context.out.answer(await (options.lost ? forget(instance) : rotate(context, instance, options)), fields)
      })
    })
}

async function rotate({ settings }: CommandContext, { db, secretKey }: OpenInstance, options: RotateOptions) {
  const generated = settings.secretKey === undefined
  const next = options.newKeyFile === undefined ? undefined : readKey(options.newKeyFile)
  const key = next ?? settings.nextSecretKey ?? (generated ? nextSecretKeyOf(settings.dataDir) : undefined)
  if (!key) {
    throw new WrongUsage(
      'PANJI_SECRET_KEY comes from the environment: give the new key in PANJI_SECRET_KEY_NEXT or with --new-key-file',
    )
  }
  if (generated && (next ?? settings.nextSecretKey)) {
    throw new WrongUsage(
      'PANJI_SECRET_KEY is not set: the key of the data directory is rotated to one that is generated',
    )
  }
  const rotation = await db.transaction(async (tx) => {
    const done = await rotateSecretKey(tx, secretKey, key)
    const signing = options.signingKey ? await rotateSigningKey(tx, key) : undefined
    await note(tx, 'rotate secret key', done)
    return { ...done, signing }
  })
  if (generated) adoptNextSecretKey(settings.dataDir)
  return {
    key_id: rotation.keyId,
    previous_key_id: rotation.previousKeyId,
    resealed: rotation.resealed,
    signing_key: rotation.signing?.kid ?? null,
    next: generated
      ? `back up ${settings.dataDir}/secret-key; secret-key.previous opens earlier backups and can be deleted with them`
      : 'set PANJI_SECRET_KEY to the new key for every process and restart them; then unset PANJI_SECRET_KEY_NEXT; keep the old key for earlier backups',
  }
}

async function forget({ db, secretKey }: OpenInstance) {
  const done = await db.transaction(async (tx) => {
    const forgotten = await forgetSealed(tx, secretKey)
    await note(tx, 'forget sealed values', forgotten)
    return forgotten
  })
  const next = 'restart running processes; give every destination its settings again'
  return { key_id: done.keyId, previous_key_id: null, resealed: done.resealed, signing_key: null, next }
}

const note = (tx: Tx, action: string, { keyId, resealed }: Rotation) =>
  audit(tx, { actor: 'operator', action, subject: keyId, detail: { resealed } })

/** @throws AppError CONFIG_INVALID; never quotes the file's content. */
function readKey(path: string): Secret {
  const key = new Secret(textOfFile(path, 'key file').trim())
  if (key.reveal().length < 16) throw new AppError('CONFIG_INVALID', `${path} has fewer than 16 characters.`)
  return key
}
