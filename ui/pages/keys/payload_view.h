// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTreeView;

namespace idemdesk::models {
struct PayloadText;
class JsonTreeModel;
class KeyDetailController;
class Settings;
} // namespace idemdesk::models

namespace idemdesk::ui {

class Chip;

/// A row's payloads: the chosen one as a tree or as its exact text, as the person likes it. A huge one is shown in part
/// and saved whole to a file.
class PayloadView final : public QWidget
{
    Q_OBJECT

public:
    PayloadView(models::KeyDetailController *detail, models::Settings *settings, QWidget *parent = nullptr);
    /// Takes what the controller knows now; the same value leaves what is unfolded as it is.
    void sync();

protected:
    void showEvent(QShowEvent *event) override;

private:
    void layOut();
    void showForm(); ///< the one that is wanted, where the value has it
    void showChosen();
    void showPayload(const models::PayloadText &payload);
    void showNote(const QString &text);
    void saveValue();

    models::KeyDetailController *m_detail;
    models::Settings *m_settings;
    models::JsonTreeModel *m_json;
    QComboBox *m_choice;
    QLabel *m_note;
    QPushButton *m_save;
    Chip *m_asTree;
    Chip *m_asText;
    QStackedWidget *m_forms;
    QTreeView *m_tree;
    QPlainTextEdit *m_text;
    bool m_hasTree = false; ///< it is JSON, and whole
    QString m_shown; ///< which value: its row, its name and its text
};

} // namespace idemdesk::ui
