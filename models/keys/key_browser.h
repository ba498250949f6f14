// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/filter/filter_parser.h"
#include "models/keys/key_table_model.h"
#include "models/request/request.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

namespace idemdesk::sql {
class Database;
}

namespace idemdesk::models {

/// An order a person can choose for the list.
struct OrderOption {
    QString label; ///< as profiles name it; "identity" for the identity
    QString title; ///< to show
    bool indexServes = false;
    bool isTime = false; ///< jumpToTime works in it
    bool descending = false;
};

/// What the status line shows of the list.
struct KeyListStatus {
    qint64 firstRow = 0; ///< 1-based; 0: nothing to show
    qint64 lastRow = 0;
    sql::RowCount count;
    sql::RowCount estimate;
    bool approximate = false;
    bool placeUnknown = false; ///< firstRow and lastRow say nothing of the place in the list
    bool busy = false;
    bool counting = false;
    qint64 tookMicros = 0;
    qint64 dataAgeMs = -1; ///< since the newest page came; -1: none yet
    std::optional<sql::Timestamp> serverNow; ///< the server's clock now, counted on from the newest page
    qint64 clockSkewMicros = 0; ///< server minus this computer
    QString order;
    QString rowsText; ///< "1–200 of 10,000+ (about 9.8 M)"
    QString tookText; ///< "12 ms"
    QString ageText; ///< "data 3 s old"
    QString skewText; ///< a whole sentence where the clocks differ by over 2 s, else empty
};

/// The keys page without its widgets: target, filter, order, cost warning, refresh. Lives on the GUI thread.
class KeyBrowserController final : public QObject
{
    Q_OBJECT

public:
    explicit KeyBrowserController(QObject *parent = nullptr);
    ~KeyBrowserController() override;

    KeyTableModel *model() const { return m_model; }
    void setDatabase(sql::Database *database); ///< may be null
    sql::Database *database() const;
    /// Shows another table with an empty filter, or with this filter text.
    void setTarget(const sql::Target &target, const QString &filterText = {});
    const sql::Target &target() const { return m_target; }
    bool hasTarget() const { return m_hasTarget; }

    /// Parses and applies a filter text. A text that does not parse gives filterRejected() and leaves the rows.
    void setFilterText(const QString &text);
    QString filterText() const { return m_filterText; } ///< as last given
    const sql::Filter &filter() const { return m_model->filter(); } ///< as applied
    FilterVocabulary vocabulary() const; ///< for the parser and for completion
    /// Values that occur, for completion; bounded on the server. The newest call of this kind wins.
    QFuture<sql::Result<QStringList>> suggestValues(
        sql::FilterField field, const QString &label, const QString &prefix, int limit = 20);

    QList<OrderOption> orders() const { return m_orders; }
    void setOrder(const QString &label); ///< a leading "-" turns it; "" is the default
    QString order() const { return m_order; } ///< as chosen; "" is the default
    QString effectiveOrder() const; ///< what the list is in: with the default order, the one that suits the filter
    bool indexServes(const OrderOption &order) const; ///< alone, or together with the filter

    /// After costWarning(): run it all the same, or go back to what is shown.
    void proceed();
    void cancelPending();
    bool pending() const { return m_pending.has_value(); }
    /// The list is being read, or what reading it would cost is asked: until then it shows what was asked before.
    bool busy() const { return m_weighing.busy() || m_model->busy(); }

    void refresh();
    void cancel(); ///< stops what is under way
    void setAutoRefresh(int seconds); ///< 0 off, 2, 5, 15, 60
    int autoRefresh() const { return m_autoSeconds; }
    /// Pauses auto-refresh while a dialog is open; calls nest.
    void hold();
    void release();

    void setTimeFormat(const TimeFormat &format);
    /// The rows the view shows, and the selected ones (model rows).
    void setVisibleRows(int first, int last);
    void setSelection(const QList<int> &rows);
    QList<sql::Cells> selection() const { return m_selection; } ///< identities
    QList<sql::KeyRecord> selectedRecords() const; ///< those loaded

    KeyListStatus status() const;
    std::optional<sql::Error> filterError() const { return m_filterError; }
    /// Why the list could not be read, until a page comes; for the banner with Retry.
    std::optional<sql::Error> error() const { return m_error; }

signals:
    void targetChanged();
    void filterAccepted(const QString &text); ///< parsed; for the history
    void filterRejected(const idemdesk::sql::Error &error); ///< position and length are offsets in the text
    void ordersChanged();
    void orderChanged();
    void costWarning(const idemdesk::sql::FilterCost &cost); ///< ask before running; proceed() or cancelPending()
    void pendingChanged();
    void statusChanged(); ///< also every second while there are rows
    void notesChanged(const QStringList &notes);
    void errorChanged(); ///< error() is new or gone
    void selectionRestored(const QList<int> &rows); ///< rows of selection() after rows came anew

private:
    sql::OrderLabel usualOrder(const sql::Filter &filter) const;
    std::optional<sql::OrderLabel> ageOrder(const sql::Filter &filter) const;

    struct Wanted {
        sql::Filter filter;
        QString order;
    };

    struct Weighed {
        sql::FilterCost cost;
        bool aged = false; ///< of the order by age, which is cheap enough
    };

    void apply(const sql::Filter &filter, const QString &order);
    void run(const sql::Filter &filter, const QString &order, bool slow,
        const std::optional<sql::OrderLabel> &aged = std::nullopt);
    bool needsCostCheck(const sql::Filter &filter, const QString &order) const;
    KeyFetchers fetchers(bool slow);
    static QString rowsText(const KeyListStatus &status);
    void onPageLoaded();
    void restoreSelection();
    void onAutoRefresh();
    void setError(std::optional<sql::Error> error);

    KeyTableModel *m_model;
    sql::Target m_target;
    bool m_hasTarget = false;
    QString m_filterText;
    QString m_order;
    std::optional<std::pair<sql::Filter, sql::OrderLabel>> m_aged; ///< a filter that is sorted by age without an index
    QList<OrderOption> m_orders;
    TimeFormat m_timeFormat;
    Wanted m_wanted; ///< what was asked for last: weighed, waiting for a person's answer, or shown
    std::optional<sql::FilterCost> m_pending; ///< of m_wanted, which waits for a person's answer
    std::optional<sql::Error> m_filterError;
    std::optional<sql::Error> m_error;
    Request m_weighing { QStringLiteral("keys/cost") };
    int m_autoSeconds = 0;
    int m_holds = 0;
    QTimer m_autoTimer;
    QTimer m_statusTimer;
    QElapsedTimer m_sinceNow; ///< since m_now was the server's time
    std::optional<sql::Timestamp> m_now; ///< the model's, of which later pages of the same list are read
    QList<sql::Cells> m_selection;
};

} // namespace idemdesk::models
