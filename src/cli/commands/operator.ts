/** `panji operator …`: who may use /admin, by name and role. A token is shown once. */
import { Option } from 'commander'
import { beginSecondFactor, confirmSecondFactor, removeSecondFactor } from '../../access/second-factor.ts'
import addOperator from '../../api/operations/operators/add.ts'
import listOperators from '../../api/operations/operators/list.ts'
import revokeOperator from '../../api/operations/operators/revoke.ts'
import { type OperatorRole, operatorRoles } from '../../domain/operator-role.ts'
import { fields, table } from '../output.ts'
import { type Declare, prints } from './command.ts'
import { onInstance } from './on-instance.ts'
import { onOperations } from './on-operations.ts'

export const declareOperator: Declare = (program, run) => {
  const operator = program
    .command('operator')
    .description('who may use /admin: accountants, viewers, operators and owners')

  operator
    .command('add')
    .description('add an operator; the token is shown only now')
    .addHelpText('after', prints('the operator with its token'))
    .argument('<name>', 'lower-case letters, digits and . _ -; appears in the audit log')
    .addOption(new Option('--role <role>').choices([...operatorRoles]).makeOptionMandatory())
    .action((name: string, { role }: { role: OperatorRole }) =>
      onOperations(run, 'operator add', async ({ call }, context) => {
        context.out.answer(await call(addOperator, { body: { name, role } }), fields)
      }),
    )

  operator
    .command('list')
    .description('list stored operators; those of the environment are owners as well')
    .action(() =>
      onOperations(run, 'operator list', async ({ call }, context) => {
        const { data: operators } = await call(listOperators)
        context.out.answer(operators, () =>
          table(
            ['name', 'role', 'created', 'last used', 'revoked'],
            operators.map((each) => [each.name, each.role, each.created_at, each.last_used_at, each.revoked_at]),
          ),
        )
      }),
    )

  operator
    .command('totp')
    .description(
      'give an operator a second factor: first prints a secret for the authenticator, then confirms it with --code',
    )
    .argument('<name>')
    .addOption(new Option('--code <digits>', 'code of the authenticator; from now on a code is required'))
    .addOption(new Option('--remove', 'remove it, for an operator who lost the authenticator').conflicts('code'))
    .action((name: string, { code, remove }: { code?: string; remove?: true }) =>
      onInstance(run, 'operator totp', async ({ db, secretKey }, context) => {
        const answer = await db.transaction(async (tx) => {
          if (remove) {
            await removeSecondFactor(tx, name, 'operator')
            return { name, second_factor: 'removed' }
          }
          if (code === undefined)
            return { name, second_factor: 'begun', ...(await beginSecondFactor(tx, secretKey, name)) }
          await confirmSecondFactor(tx, secretKey, { name, code, actor: 'operator' })
          return { name, second_factor: 'in force' }
        })
        context.out.answer(answer, fields)
      }),
    )

  operator
    .command('revoke')
    .description('revoke an operator; the token stops working with the next call')
    .argument('<name>')
    .action((name: string) =>
      onOperations(run, 'operator revoke', async ({ call }, context) => {
        context.out.answer(await call(revokeOperator, { params: { name } }), fields)
      }),
    )
}
