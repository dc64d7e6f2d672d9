// SPDX-License-Identifier: GPL-2.0
// Type of dashboard.json. That of @grafana/schema leaves the options of each kind of panel open.
import type { Dashboard as Base, Panel, RowPanel } from '@grafana/schema';
import type * as bars from '@grafana/schema/dist/esm/raw/composable/bargauge/panelcfg/x/BarGaugePanelCfg_types.gen';
import type * as series from '@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen';
import type * as stat from '@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen';
import type * as states from '@grafana/schema/dist/esm/raw/composable/statetimeline/panelcfg/x/StateTimelinePanelCfg_types.gen';

type Query = { refId: string, expr: string, legendFormat: string, instant?: true, range?: false };
type Fields<Custom> = Omit<NonNullable<Panel['fieldConfig']>, 'defaults'> & {
	defaults: Omit<NonNullable<Panel['fieldConfig']>['defaults'], 'custom'> & { custom?: Custom } };
type Of<Type, Options, Custom = never> =
	Omit<Panel, 'type' | 'options' | 'targets' | 'fieldConfig'> &
	{ type: Type, options: Partial<Options>, targets: Query[], fieldConfig: Fields<Custom> };
type AnyPanel = Of<'timeseries', series.Options, series.FieldConfig> | Of<'stat', stat.Options> |
	Of<'bargauge', bars.Options> | Of<'state-timeline', states.Options, states.FieldConfig>;
type Row = Omit<RowPanel, 'panels'> & { panels: AnyPanel[] };
// JSON has the values of enumerations
type Plain<T> = T extends string ? `${T}` : T extends object ? { [K in keyof T]: Plain<T[K]> } : T;

export type Dashboard = Plain<Omit<Base, 'panels'> & { panels: (AnyPanel | Row)[] }>;
