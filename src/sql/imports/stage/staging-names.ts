import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  TableNode,
  type UnknownRow,
} from 'kysely';
import { isStagingTable, type StagingTables } from './staging-tables.ts';

/**
 * Renames the staging tables in every query of a handle, so that each import uses its own tables.
 */
export class StagingNames extends OperationNodeTransformer implements KyselyPlugin {
  readonly #run: number;

  constructor(run: number) {
    super();
    this.#run = run;
  }

  nameOf(table: keyof StagingTables): string {
    return `${table}_${this.#run}`;
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformNode(node, queryId);
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }

  protected override transformTable(node: TableNode): TableNode {
    const { name } = node.table.identifier;
    return isStagingTable(name) ? TableNode.create(this.nameOf(name)) : node;
  }
}
