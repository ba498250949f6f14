// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "sql/types/cache.h"
#include "sql/types/error.h"
#include "ui/pages/page.h"

#include <functional>
#include <optional>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace idemdesk::models {
class ActionCenter;
class CacheController;
class CachePlace;
class CacheHistory;
class ConnectionController;
class ReleaseController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class BusyBar;
class Chip;
class ChipRow;
class ContentStack;
class ExpiryBars;
class FigureCard;
class FoldedPart;
class NoticeBar;
class TargetChooser;
class TrendChart;

/// What the page leads.
struct CacheModels {
    models::CacheController *cache;
    models::ReleaseController *releases;
    models::CacheHistory *history;
    models::ActionCenter *center;
    models::CachePlace *place;
};

/// A table and the Redis in front of it: what disagrees, and how entries expire. It is offered only while a table's
/// profile names a cache. Nothing is asked of the cache before a person says so.
class CachePage final : public Page
{
    Q_OBJECT

public:
    CachePage(models::ConnectionController *connection, const CacheModels &models, models::Settings *settings,
        QWidget *parent = nullptr);

    static Face ownFace(); ///< known before there is one
    /// Whether a table of the connection has a cache.
    static bool isFor(const models::ConnectionController &connection);
    void activate() override;
    void refresh() override;
    void setTimeFormat(const models::TimeFormat &format) override;
    void refreshByItself() override { } ///< each look counts as use of the entries

protected:
    void keyPressEvent(QKeyEvent *event) override; ///< Escape stops a comparison

private:
    QWidget *buildPlace();
    ChipRow *buildKinds();
    QWidget *buildOverview();
    QWidget *buildFoot();
    void setUpList(models::Settings *settings);
    void wire();
    void onCompared(); ///< or began to, or could not
    void takeTargets();
    void takeTarget();
    void compare();
    /// Hands the password of this address on: the typed one, or that of the keychain.
    void withPassword(const QString &url, const std::function<void(const QString &)> &use);
    void askRelease();
    void onReleased(const QString &text, const std::optional<sql::Error> &error);
    QString whyNotRelease() const;
    void showKey();
    void lookAgain();
    void sync();
    void syncPlace();
    void syncCrowd();
    void syncRelease();
    void syncKinds();
    void chooseKinds();
    void syncChart();
    void syncExpiry();
    void syncEmpty();

    models::ConnectionController *m_connection;
    models::CacheController *m_cache;
    models::ReleaseController *m_releases;
    models::CacheHistory *m_history;
    models::ActionCenter *m_center;
    models::CachePlace *m_place;
    TargetChooser *m_target;
    QLineEdit *m_address;
    QLineEdit *m_password;
    QCheckBox *m_keep;
    QPushButton *m_compare;
    QPushButton *m_release;
    BusyBar *m_busy;
    NoticeBar *m_notice;
    NoticeBar *m_crowded;
    QWidget *m_fields; ///< where the cache is, to be typed
    QWidget *m_placed; ///< where it is, in a line
    QLabel *m_where;
    QPushButton *m_edit;
    FigureCard *m_facts;
    QLabel *m_verdict;
    QList<std::pair<sql::CacheFindingKind, Chip *>> m_chips; ///< by kind
    ChipRow *m_kinds;
    ContentStack *m_stack;
    QTableView *m_table;
    QLabel *m_meaning;
    QPushButton *m_show;
    QCheckBox *m_sample;
    QWidget *m_numbers; ///< the card, and what the chart cannot show
    QWidget *m_hits; ///< how many look-ups were answered
    FoldedPart *m_overview; ///< numbers and charts
    ExpiryBars *m_expiry;
    QLabel *m_expiryNote;
    TrendChart *m_chart;
    QLabel *m_chartNote;
    models::TimeFormat m_timeFormat;
    bool m_told = false; ///< what came of a release stays until something else is asked for
    bool m_editing = true; ///< the address is open to be typed
    QString m_comparedUrl; ///< of the last comparison, whatever is typed by now
    QString m_addressOf; ///< the connection whose address is shown
    QString m_typed; ///< the password that was typed for the comparison under way
    std::optional<sql::CacheFinding> m_looked; ///< what was chosen before the list came anew
};

} // namespace idemdesk::ui
