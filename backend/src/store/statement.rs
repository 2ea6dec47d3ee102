//! Statements whose parameters and columns are the program's own types. How a type is stored is declared here, once for both
//! databases.

use std::collections::BTreeMap;
use std::str::FromStr;

use futures::{Stream, TryStreamExt as _};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::any::{Any, AnyArguments, AnyTypeInfo};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::query::Query;
use sqlx::{ColumnIndex, Encode, Executor, Row as _, Type};
use turnwise_shared::prelude::*;
use turnwise_shared::wire::driving::{Epoch, Holder};
use turnwise_shared::wire::publishing::{Numbers, Owner};
use turnwise_shared::wire::receipts::{Endpoint, KeyId, Receipt};

use super::packing::Recipe;
use super::{Row, StoreError};

/// A statement with its parameters in the order of their numbers: `sql!("… WHERE run = $1 AND call = $2", run, call)`. A [`CallKey`]
/// is four parameters.
macro_rules! sql {
    ($text:expr $(, $parameter:expr)* $(,)?) => {
        $crate::store::statement::Statement::new($text)$(.with(&$parameter))*
    };
}
pub(super) use sql;

/// Has rows read as structs: each field from the column of its name, or from the one that is named after it.
macro_rules! rows {
    ($($name:ident { $($field:ident $(= $column:literal)?),+ $(,)? })+) => {$(
        impl $crate::store::statement::FromRow for $name {
            fn from_row(row: &$crate::store::Row) -> Result<Self, $crate::store::StoreError> {
                Ok($name { $($field: $crate::store::statement::rows!(@ row, $field $(, $column)?)?),+ })
            }
        }
    )+};
    (@ $row:ident, $field:ident) => {
        $crate::store::statement::Column::read($row, stringify!($field))
    };
    (@ $row:ident, $field:ident, $column:literal) => {
        $crate::store::statement::Column::read($row, $column)
    };
}
pub(super) use rows;

pub(super) struct Statement(Query<'static, Any, AnyArguments>);

impl Statement {
    pub fn new(text: &'static str) -> Self {
        Statement(sqlx::query(text))
    }

    pub fn with(self, parameters: &(impl Parameters + ?Sized)) -> Self {
        parameters.add_to(self)
    }

    /// Adds one parameter.
    fn bind<V: Encode<'static, Any> + Type<Any>>(self, value: V) -> Self {
        Statement(self.0.bind(value))
    }

    pub async fn run(self, executor: impl Executor<'_, Database = Any>) -> Result<(), StoreError> {
        self.changed(executor).await.map(|_| ())
    }

    /// Executes it and gives the number of rows that it changed.
    pub async fn changed(
        self,
        executor: impl Executor<'_, Database = Any>,
    ) -> Result<u64, StoreError> {
        Ok(self.0.execute(executor).await?.rows_affected())
    }

    /// Whether it finds a row.
    pub async fn exists(
        self,
        executor: impl Executor<'_, Database = Any>,
    ) -> Result<bool, StoreError> {
        Ok(self.0.fetch_optional(executor).await?.is_some())
    }

    /// The first row, if there is one.
    pub async fn first<R: FromRow>(
        self,
        executor: impl Executor<'_, Database = Any>,
    ) -> Result<Option<R>, StoreError> {
        let row = self.0.fetch_optional(executor).await?;
        row.map(|row| R::from_row(&row)).transpose()
    }

    /// The row that every such statement finds.
    pub async fn one<R: FromRow>(
        self,
        executor: impl Executor<'_, Database = Any>,
    ) -> Result<R, StoreError> {
        R::from_row(&self.0.fetch_one(executor).await?)
    }

    /// All rows, as a list or a map.
    pub async fn all<R: FromRow, C: FromIterator<R>>(
        self,
        executor: impl Executor<'_, Database = Any>,
    ) -> Result<C, StoreError> {
        let rows = self.0.fetch_all(executor).await?;
        rows.iter().map(R::from_row).collect()
    }

    /// One row after the other.
    pub fn stream<'e, R: FromRow + 'e>(
        self,
        executor: impl Executor<'e, Database = Any> + 'e,
    ) -> impl Stream<Item = Result<R, StoreError>> + 'e {
        let rows = self.0.fetch(executor).map_err(StoreError::from);
        rows.and_then(|row| std::future::ready(R::from_row(&row)))
    }
}

/// Values that are one or several parameters of a statement.
pub(super) trait Parameters {
    fn add_to(&self, statement: Statement) -> Statement;
}

impl<P: Parameter + ?Sized> Parameters for P {
    fn add_to(&self, statement: Statement) -> Statement {
        statement.bind(self.stored())
    }
}

impl Parameters for CallKey {
    fn add_to(&self, statement: Statement) -> Statement {
        let CallKey { run, episode, call, digest } = self;
        statement.with(run).with(episode).with(call).with(digest)
    }
}

impl Parameters for &CallKey {
    fn add_to(&self, statement: Statement) -> Statement {
        statement.with(*self)
    }
}

/// A value that is one parameter of a statement.
pub(super) trait Parameter {
    /// As what the database keeps it.
    type Stored: Encode<'static, Any> + Type<Any> + 'static;

    fn stored(&self) -> Self::Stored;
}

/// A value that is read from one column.
pub(super) trait Column: Sized {
    fn read<I: ColumnIndex<Row> + Copy>(row: &Row, column: I) -> Result<Self, StoreError>;
}

/// Reads values from the columns of a row by their names.
pub(super) trait ReadRow {
    fn read<C: Column>(&self, name: &str) -> Result<C, StoreError>;
}

impl ReadRow for Row {
    fn read<C: Column>(&self, name: &str) -> Result<C, StoreError> {
        C::read(self, name)
    }
}

/// A value that is read from the columns of a row: a [`Column`] alone, several in a tuple, or a struct of [`rows`].
pub(super) trait FromRow: Sized {
    fn from_row(row: &Row) -> Result<Self, StoreError>;
}

rows! { CallKey { run, episode, call, digest } }

/// For what is read from the row later.
impl FromRow for Row {
    fn from_row(row: &Row) -> Result<Self, StoreError> {
        Ok(row.clone())
    }
}

impl<C: Column> FromRow for C {
    fn from_row(row: &Row) -> Result<Self, StoreError> {
        C::read(row, 0)
    }
}

macro_rules! tuples {
    ($($($name:ident $at:literal),+;)+) => {$(
        impl<$($name: Column),+> FromRow for ($($name,)+) {
            fn from_row(row: &Row) -> Result<Self, StoreError> {
                Ok(($($name::read(row, $at)?,)+))
            }
        }
    )+};
}
tuples! {
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
}

impl<P: Parameter + ?Sized> Parameter for &P {
    type Stored = P::Stored;

    fn stored(&self) -> P::Stored {
        (**self).stored()
    }
}

impl<P: Parameter> Parameter for Option<P> {
    type Stored = Option<P::Stored>;

    fn stored(&self) -> Option<P::Stored> {
        self.as_ref().map(P::stored)
    }
}

impl<C: Column> Column for Option<C> {
    fn read<I: ColumnIndex<Row> + Copy>(row: &Row, column: I) -> Result<Self, StoreError> {
        use sqlx::ValueRef as _;

        match row.try_get_raw(column)?.is_null() {
            true => Ok(None),
            false => C::read(row, column).map(Some),
        }
    }
}

impl Parameter for str {
    type Stored = String;

    fn stored(&self) -> String {
        self.to_owned()
    }
}

/// Declares how types are stored as one of the database's own, and how they are read from it.
macro_rules! stored {
    ($($type:ty as $stored:ty: |$value:ident| $to:expr, |$kept:ident| $from:expr;)+) => {$(
        impl Parameter for $type {
            type Stored = $stored;

            fn stored(&self) -> $stored {
                let $value = self;
                $to
            }
        }

        impl Column for $type {
            fn read<I: ColumnIndex<Row> + Copy>(row: &Row, column: I) -> Result<Self, StoreError> {
                let $kept: $stored = row.try_get(column)?;
                $from
            }
        }
    )+};
}
stored! {
    i64 as i64: |number| *number, |kept| Ok(kept);
    // The database never has numbers that are larger or negative.
    u64 as i64: |number| i64::try_from(*number).unwrap_or(i64::MAX), |kept| Ok(u64::try_from(kept).unwrap_or(0));
    u32 as i64: |number| i64::from(*number), |kept| Ok(u32::try_from(kept).unwrap_or(u32::MAX));
    bool as i64: |is_so| i64::from(*is_so), |kept| Ok(kept != 0);
    CallId as i64: |call| call.0.stored(), |kept| Ok(CallId(u32::try_from(kept).unwrap_or(u32::MAX)));
    Epoch as i64: |epoch| epoch.0.stored(), |kept| Ok(Epoch(u64::try_from(kept).unwrap_or(0)));
    String as String: |text| text.clone(), |kept| Ok(kept);
    Vec<u8> as Vec<u8>: |bytes| bytes.clone(), |kept| Ok(kept);
}

/// Declares types that are stored as text, with what is said of a text that is no such value.
macro_rules! stored_as_text {
    ($($type:ty: $unreadable:literal, $to:expr, $from:expr;)+) => {$(
        impl Parameter for $type {
            type Stored = String;

            fn stored(&self) -> String {
                $to(self).to_string()
            }
        }

        impl Column for $type {
            fn read<I: ColumnIndex<Row> + Copy>(row: &Row, column: I) -> Result<Self, StoreError> {
                let text: &str = row.try_get(column)?;
                $from(text).ok_or(StoreError::Unreadable($unreadable))
            }
        }
    )+};
}
stored_as_text! {
    RunId: "a run's id", Self::to_string, parsed;
    EpisodeKey: "an episode's name", Self::to_string, parsed;
    Digest: "a digest", Self::to_string, parsed;
    KeyId: "a key's name", Self::to_string, parsed;
    Owner: "an owner", Self::to_string, |text| parsed::<Digest>(text).map(Owner::from);
    EvidenceTier: "a row of a board", Self::to_string, parsed;
    RunState: "a run's state", Self::to_string, |text| RunState::ALL.into_iter().find(|state| state.name() == text);
    Visibility: "a run's visibility", |visibility: &Self| visibility.name(), |text| Visibility::ALL.into_iter().find(|one| one.name() == text);
    Holder: "the holder of a lease", holder_name, holder_of;
}

fn parsed<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

fn holder_name(holder: &Holder) -> &'static str {
    match holder {
        Holder::Page => "page",
        Holder::Server => "server",
    }
}

fn holder_of(name: &str) -> Option<Holder> {
    [Holder::Page, Holder::Server].into_iter().find(|holder| holder_name(holder) == name)
}

/// Declares types that are stored as JSON, with what is said of a text that is not such a value.
macro_rules! stored_as_json {
    ($($type:ty: $unreadable:literal;)+) => {$(
        impl $crate::store::statement::Parameter for $type {
            type Stored = $crate::store::statement::Json;

            fn stored(&self) -> $crate::store::statement::Json {
                $crate::store::statement::Json::of(self)
            }
        }

        impl $crate::store::statement::Column for $type {
            fn read<I: sqlx::ColumnIndex<$crate::store::Row> + Copy>(
                row: &$crate::store::Row,
                column: I,
            ) -> Result<Self, $crate::store::StoreError> {
                serde_json::from_str(sqlx::Row::try_get(row, column)?)
                    .map_err(|_| $crate::store::StoreError::Unreadable($unreadable))
            }
        }
    )+};
}
pub(super) use stored_as_json;
stored_as_json! {
    Spec: "a run's spec";
    Vec<String>: "a run's tags";
    Doubt: "why a run was refused";
    Caps: "caps";
    Spent: "a call";
    ApiError: "a driver's trouble";
    LiveInfo: "a live table";
    BTreeMap<Seat, String>: "a live table's nonces";
    Summary: "a summary";
    Timing: "a call's timing";
    Reply: "a reply";
    Vec<Said>: "a reply";
    Failure: "a failure";
    Endpoint: "an endpoint";
    Receipt: "a receipt";
    LogEntry: "an entry of the log";
    Recipe: "a packed transcript";
    Vec<Digest>: "a picture";
    BTreeMap<Seat, Player>: "a row of a board";
    Numbers: "a row of a board";
}

impl Parameter for Json {
    type Stored = Json;

    fn stored(&self) -> Json {
        self.clone()
    }
}

impl<T: Serialize> Parameter for [T] {
    type Stored = Json;

    fn stored(&self) -> Json {
        Json::of(self)
    }
}

/// A value as its JSON.
#[derive(Clone)]
pub(super) struct Json(Result<String, String>);

impl Json {
    pub fn of(value: &(impl Serialize + ?Sized)) -> Self {
        Json(serde_json::to_string(value).map_err(|error| error.to_string()))
    }
}

impl Type<Any> for Json {
    fn type_info() -> AnyTypeInfo {
        <str as Type<Any>>::type_info()
    }
}

impl Encode<'_, Any> for Json {
    fn encode(
        self,
        buffer: &mut <Any as sqlx::Database>::ArgumentBuffer,
    ) -> Result<IsNull, BoxDynError> {
        Encode::<Any>::encode(self.0?, buffer)
    }

    fn encode_by_ref(
        &self,
        buffer: &mut <Any as sqlx::Database>::ArgumentBuffer,
    ) -> Result<IsNull, BoxDynError> {
        Encode::<Any>::encode(self.0.clone()?, buffer)
    }
}

/// JSON in a column; `None` if this program cannot read it.
pub(super) struct IfReadable<T>(pub Option<T>);

impl<T: DeserializeOwned> Column for IfReadable<T> {
    fn read<I: ColumnIndex<Row> + Copy>(row: &Row, column: I) -> Result<Self, StoreError> {
        Ok(IfReadable(serde_json::from_str(row.try_get(column)?).ok()))
    }
}

/// A number with a fraction that may be absent. Bound as it is, an absent one would be announced to PostgreSQL as a shorter type than
/// the column has, and the next number that is there would be refused.
pub(super) struct Real(Option<f64>);

impl Parameter for Option<f64> {
    type Stored = Real;

    fn stored(&self) -> Real {
        Real(*self)
    }
}

impl Column for f64 {
    fn read<I: ColumnIndex<Row> + Copy>(row: &Row, column: I) -> Result<Self, StoreError> {
        Ok(row.try_get(column)?)
    }
}

impl Type<Any> for Real {
    fn type_info() -> AnyTypeInfo {
        <f64 as Type<Any>>::type_info()
    }
}

impl Encode<'_, Any> for Real {
    fn encode_by_ref(
        &self,
        buffer: &mut <Any as sqlx::Database>::ArgumentBuffer,
    ) -> Result<IsNull, BoxDynError> {
        match self.0 {
            Some(number) => Encode::<Any>::encode_by_ref(&number, buffer),
            // The driver has the two kinds the wrong way round.
            None => Encode::<Any>::encode_by_ref(&None::<f32>, buffer),
        }
    }
}
