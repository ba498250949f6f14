// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/format/time_format.h"
#include "models/regions/region_list.h"
#include "sql/types/error.h"

#include <QMap>
#include <QWidget>
#include <array>
#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QSplitter;
class QTableView;
class QToolButton;

namespace idemdesk::models {
class GroupSession;
class RegionController;
class Settings;
class SideTitles;
struct AlignSide;
struct CompareSide;
} // namespace idemdesk::models

namespace idemdesk::ui {

class AlignBar;
class BusyBar;
class Chip;
class ContentStack;
class DifferencePane;
class NoticeBar;
class TargetChooser;

/// Compares one table in two members of a group, and lists the keys that are not the same: the gravest first, each
/// with both sides and what the rule proposes. What was not looked at is said, and never passes for no difference.
class DifferencesView final : public QWidget
{
    Q_OBJECT

public:
    /// group: outlives the view. journalPath: where asked actions are noted; empty: nowhere.
    DifferencesView(models::GroupSession *group, models::Settings *settings, QWidget *parent = nullptr,
        const QString &journalPath = {});

    void compare(); ///< what is chosen; nothing where it cannot be
    void chooseTarget(const QString &target); ///< as if chosen; nothing while it compares
    void chooseMembers(const std::array<int, 2> &members); ///< as if chosen; nothing while it compares
    void setFilter(const QString &text); ///< as if typed
    void setTimeFormat(const models::TimeFormat &format);
    models::RegionController *controller() const { return m_regions; }
    AlignBar *alignBar() const { return m_alignBar; }

protected:
    void resizeEvent(QResizeEvent *event) override;

signals:
    void keyWanted(int member, const QString &target, const QString &filter);

private:
    QWidget *buildBar();
    QWidget *buildHead();
    void setUpList(models::Settings *settings);
    void wire();
    void onMembers();
    void onDatabase(int member);
    std::array<int, 2> chosen() const; ///< members
    std::array<models::CompareSide, 2> sides() const;
    QString whyNot() const; ///< why what is chosen cannot be compared; empty where it can
    void sync();
    void syncSides();
    void syncNotice();
    void syncHead();
    void syncChips();
    void showEmpty();
    void showDifference();
    void fitList();
    void fitKey();
    void showKey(int side);
    void syncAlign();
    QString whyNotAlign() const; ///< a sentence; empty where it may be tried
    std::array<models::AlignSide, 2> alignSides() const;
    void askAlign();
    QString alignCommand() const; ///< for a shell: the plan of what the page shows
    void askExport(bool compensation);
    void write(const QString &path, const QList<models::RegionDifference> &differences);
    void told(const QString &path, const std::optional<sql::Error> &error);

    models::GroupSession *m_group;
    models::RegionController *m_regions;
    models::SideTitles *m_rows;
    TargetChooser *m_targets;
    std::array<QComboBox *, 2> m_sides;
    QLineEdit *m_filter;
    QSpinBox *m_wait;
    QPushButton *m_compare;
    BusyBar *m_busy;
    QPushButton *m_stop;
    NoticeBar *m_notice;
    QLabel *m_summary;
    QLabel *m_advice;
    QWidget *m_head; ///< chips and export
    QList<std::pair<models::DifferenceGroup, Chip *>> m_chips;
    QPushButton *m_align;
    QAction *m_copy; ///< the same as a command; its object lies in the menu beside what else leaves the window
    QToolButton *m_export;
    AlignBar *m_alignBar;
    ContentStack *m_stack;
    QSplitter *m_split;
    bool m_fitted = false; ///< a person moved its handle
    QTableView *m_table;
    DifferencePane *m_pane;
    std::array<int, 2> m_compared { -1, -1 }; ///< members of the last comparison
    std::optional<sql::Error> m_exportError;
    QString m_exported; ///< where the last export went
};

} // namespace idemdesk::ui
